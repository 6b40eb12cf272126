import Table from 'cli-table3';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fitColumns } from '../../../../src/cli/output/formats/fit-columns.ts';
import { formatTable } from '../../../../src/cli/output/formats/table.ts';
import { padTo, tailTo, wrapTo } from '../../../../src/text/text-width.ts';
import { json, startPeer } from '../../../client/start-peer.ts';
import { startWorld } from '../../../world.ts';

const hostileNames = {
  escapes: '\x1b[31mred\x1b[2J\x1b]0;title\x07\x9b5A',
  'right-to-left': '\u202Eabc\u2066def\u200Fשלום',
  combining: `e${'\u0301'.repeat(40)}x ก็สวัสดี नमस्ते مَرْحَبًا`,
  emoji: '👩‍👩‍👧🇩🇪1️⃣❤️👍🏽🫠',
  'East Asian': '李雷한국어あ゙ﾊﾞ',
  long: '名'.repeat(500),
  lines: 'a\r\nb\tc\u2028d',
};

/** A service whose users have hostile names, which the local service would reject. */
async function startHostile() {
  const users = Object.entries(hostileNames).map(([user_name, name], number) => ({
    user_id: `20201028102749564-9082-DC8CD272${number}`,
    user_name,
    name,
    email: `${user_name.replace(/\W/g, '.')}@example.com`,
    disabled: false,
  }));
  const { baseUrl } = await startPeer({ call: json(200, { total: users.length, users, ...users[5] }) });
  const { runWith } = await startWorld();
  const env = {
    NO_COLOR: '1',
    TENANT_USERS_BASE_URL: baseUrl,
    TENANT_USERS_CLIENT_ID: 'a',
    TENANT_USERS_CLIENT_SECRET: 'b',
  };
  return (terminal: number | undefined, ...args: string[]) =>
    runWith({ env, ...(terminal === undefined ? {} : { terminal }) }, ...args);
}

const text = fc.string({ unit: 'grapheme', maxLength: 40 });

function widthsOf(text: string): number[] {
  const widths = text
    .trimEnd()
    .split('\n')
    .map((line) => stringWidth(line));
  return [...new Set(widths)];
}

test.each([1, 8, 40, 80, 200, 10_000, 0])(
  'a table of %d columns stays a table, whatever a name contains',
  async (terminal) => {
    const run = await startHostile();
    for (const args of [
      ['list'],
      ['list', '--columns', 'user_id,name,user_name'],
      ['get', '20201028102749564-9082-DC8CD2725'],
    ]) {
      const { exitCode, stdout } = await run(terminal, ...args);
      expect(exitCode).toBe(0);
      const widths = widthsOf(stdout);
      expect(widths).toHaveLength(1);
      expect(widths[0]).toBeLessThanOrEqual(Math.max(terminal || 80, 12));
      expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    }
  },
);

test('a table in a pipe is complete', async () => {
  const run = await startHostile();
  const { stdout, stderr } = await run(undefined, 'list');
  expect(widthsOf(stdout)).toHaveLength(1);
  expect(stdout).toContain(hostileNames.long);
  expect(stderr).toBe('7 of 7 users\n');
});

test('a table of many rows takes the library as long as one of a single row', async () => {
  const drawn = vi.spyOn(Table.prototype, 'toString');
  onTestFinished(() => drawn.mockRestore());
  const { stdout } = await (await startHostile())(undefined, 'list');
  expect(stdout.split('\n')).toHaveLength(1 + 7 + 4);
  expect(drawn.mock.contexts).toMatchObject([{ length: 1 }]);
});

test('a table shortens ids if everything else then fits, and otherwise leaves them out', () => {
  const ids = ['20201028102749564-9082-DC8CD2722'];
  const fitted = (email: string) => {
    const names = ['user_name', 'email', 'user_id'];
    const wishes = { needed: names, whole: [], id: 'user_id', chosen: false, room: 60 };
    const { shown, shortened, leftOut } = fitColumns(names, [['ann', email, ...ids]], wishes);
    return { widths: shown.map(({ width }) => width), shortened, leftOut };
  };
  expect(fitted('ann@example.com')).toEqual({ widths: [9, 15, 10], shortened: ['user_id'], leftOut: [] });
  const long = 'ann.of.a.long.name@department.example.com';
  expect(fitted(long)).toEqual({ widths: [9, long.length], shortened: [], leftOut: ['user_id'] });
});

test('on a narrow terminal ids are left out first, then whole columns, and a notice names them', async () => {
  const run = await startHostile();
  const wide = await run(80, 'list');
  expect(wide.stdout.split('\n')[1]).toMatch(/^│ user_name +│ name +│ email +│ disabled │$/);
  expect(wide.stderr).toBe(
    'Columns hidden to fit: mobile, user_id (use --columns or -o csv)\n7 of 7 users\n',
  );
  const chosen = await run(80, 'list', '--columns', 'user_name,user_id');
  expect(chosen.stdout.match(/20201028102749564-9082-DC8CD272\d/g)).toHaveLength(7);
  expect(chosen.stderr).toBe('7 of 7 users\n');
  const narrow = await run(40, 'list');
  expect(narrow.stdout.split('\n')[1]).toMatch(/^│ user_name +│ email +│$/);
  expect(narrow.stderr).toContain('Columns hidden to fit: name, mobile,\ndisabled, user_id (use');
});

test('a shortened text keeps its end, and is exactly as wide as asked for', () => {
  expect([tailTo('20201028102749564-9082-DC8CD2722', 10), tailTo('short', 10)]).toEqual([
    '…DC8CD2722',
    'short     ',
  ]);
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (value, width) => {
      const tail = tailTo(value, width);
      expect(stringWidth(tail)).toBe(width);
      const isWhole = stringWidth(value) <= width;
      expect(`${isWhole ? '' : '…'}${value}`.trimEnd().endsWith(tail.slice(isWhole ? 0 : 1).trimEnd())).toBe(
        true,
      );
    }),
  );
});

test('a field of a single record takes several lines if it is too long for one', async () => {
  const run = await startHostile();
  const { stdout } = await run(
    40,
    'get',
    '20201028102749564-9082-DC8CD2725',
    '--columns',
    'user_name,user_id',
  );
  expect(stdout).toBe(`┌───────────┬──────────────────────────┐
│ user_name │ long                     │
│ user_id   │ 20201028102749564-9082-D │
│           │ C8CD2725                 │
└───────────┴──────────────────────────┘
`);
});

test('a padded text is exactly as wide as asked for', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (value, width) => {
      expect(stringWidth(padTo(value, width))).toBe(width);
    }),
  );
});

test('a wrapped text is complete, in lines that fit', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 8, max: 30 }), (value, width) => {
      const lines = wrapTo(value, width, 100);
      expect(lines.join('')).toBe(value);
      expect(lines.every((line) => stringWidth(line) <= width)).toBe(true);
    }),
  );
});

test('a table of many rows is drawn in parts as one table, and a signal can interrupt it', async () => {
  const rows = Array.from({ length: 5000 }, (_, line) => ({ line, format: 'bcrypt' }));
  const screen = { width: 80, isTerminal: true, bold: (text: string) => text, note() {} };
  let isHeard = false;
  setImmediate(() => {
    isHeard = true;
  });
  let drawn = '';
  let drawnWhenHeard = 0;
  for await (const text of formatTable({ rows, columns: ['line', 'format'] }, undefined, screen)) {
    drawn += text;
    if (!isHeard) drawnWhenHeard = drawn.length;
  }
  const lines = drawn.trimEnd().split('\n');
  expect(drawnWhenHeard).toBeLessThan(drawn.length / 10);
  expect(lines).toHaveLength(5004);
  expect(widthsOf(drawn)).toHaveLength(1);
  expect(lines.filter((line) => !/^│/.test(line))).toHaveLength(3);
});
