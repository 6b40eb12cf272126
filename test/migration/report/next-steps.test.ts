import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderReport } from '../../../src/migration/report/render-report.ts';
import type { ReportData } from '../../../src/migration/report/report-data.ts';
import { quotePath } from '../../../src/text/shell-quote.ts';
import { dataWith, hostile, mixed, verifiedWith } from './report-data.ts';

function commandsOf(data: ReportData): string[] {
  const found = renderReport(data).matchAll(/<pre tabindex="0"><code>([^<]*)<\/code><\/pre>/g);
  return [...found].map(([, command = '']) => command);
}

const again = 'tenant-users import-hashes exports/legacy.csv --job cutover.import';
const verify = 'tenant-users hash verify --csv exports/legacy.csv --by-user-name NAME';

test.each<[string, Partial<ReportData>, string[]]>([
  [
    'all is done and verified',
    { summary: verifiedWith() },
    [
      'tenant-users evidence cutover.import --to cutover.import.evidence',
      'tenant-users job purge cutover.import',
    ],
  ],
  ['nothing is verified', {}, [verify]],
  ['rows were not sent', { summary: verifiedWith({ created: 990, pending: 10 }) }, [again]],
  [
    'rows of a shard failed',
    { summary: verifiedWith({ created: 999, failed: 1, shard: '1/2' }) },
    [`${again} --shard 1/2 --only failed`],
  ],
  [
    'of a dry run all passed',
    { summary: verifiedWith({ dry_run: true, created: 0, pending: 1000 }) },
    [again],
  ],
  [
    'of a dry run none passed',
    { summary: verifiedWith({ dry_run: true, created: 0, pending: 0, invalid: 1000 }) },
    [`${again} --dry-run`],
  ],
  [
    'of a dry run some did not pass',
    { summary: verifiedWith({ dry_run: true, created: 0, invalid: 1, pending: 999 }) },
    [`${again} --dry-run`, again],
  ],
  [
    'hashes are of other kinds',
    { summary: verifiedWith({ created: 990, invalid: 10, codes: { HASH_FOREIGN: 10 } }) },
    [`${again} --only failed --foreign-hashes passwordless`, 'tenant-users explain CODE'],
  ],
  ...[
    ['argon2', `${again} --only failed --foreign-hashes passwordless`] as const,
    ['md-5', `${again} --only failed`] as const,
  ].map(([name, command]): [string, Partial<ReportData>, string[]] => [
    `hashes are of the algorithm ${name}`,
    {
      summary: verifiedWith({
        created: 990,
        invalid: 10,
        codes: { ALGORITHM_UNKNOWN: 10 },
        issues: { ALGORITHM_UNKNOWN: 12 },
        unknown_algorithms: { [name]: 12 },
      }),
    },
    [command, 'tenant-users explain CODE'],
  ]),
  [
    'hashes are missing, or of other kinds, and a row is wrong',
    {
      summary: verifiedWith({
        created: 990,
        failed: 1,
        invalid: 9,
        codes: { HASH_FOREIGN: 5, PASSWORD_MISSING: 4 },
      }),
    },
    [
      `${again} --only failed`,
      `${again} --only failed --foreign-hashes passwordless --allow-passwordless`,
      'tenant-users explain CODE',
    ],
  ],
  [
    'of a rehearsal some were refused',
    { summary: verifiedWith({ rehearsal: true, created: 999, failed: 1 }), target: {} },
    ['tenant-users tenant learn --output-file tenant.json', again],
  ],
  [
    'a rehearsal was stopped',
    { summary: verifiedWith({ rehearsal: true, created: 0, failed: 50, pending: 950 }), target: {} },
    ['tenant-users tenant learn --output-file tenant.json', `${again} --rehearse`],
  ],
  [
    'shards were merged',
    { shards: 2, summary: verifiedWith({ created: 999, failed: 1 }) },
    ['tenant-users import-hashes exports/legacy.csv --job cutover.import --only failed'],
  ],
  [
    'everything happened',
    { summary: mixed },
    [
      again,
      'tenant-users get --by-external-id ID',
      'tenant-users get --by-user-name NAME',
      again,
      `${again} --only failed`,
      verify,
      'tenant-users explain CODE',
    ],
  ],
])('if %s, the report proposes these commands', (_, data, commands) => {
  expect(commandsOf(dataWith(data))).toEqual(commands);
});

const command = {
  words: ['--profile', 'prod', 'import-hashes', 'my.csv', '--map', 'hash=pwd'],
  rehearsal: ['--tenant', 'acme.json'],
  connection: ['--profile', 'prod'],
  consent: ['--yes'],
};
const whole = 'tenant-users --profile prod import-hashes my.csv --map hash=pwd';
const dry = verifiedWith({ dry_run: true, created: 0, invalid: 1, pending: 999 });

test.each<[string, Partial<ReportData>, string[]]>([
  ['a dry run', { summary: dry }, [`${whole} --dry-run`, `${whole} --yes`]],
  [
    'a rehearsal',
    { summary: verifiedWith({ rehearsal: true, created: 999, failed: 1 }) },
    [`${whole} --rehearse --tenant acme.json`, `${whole} --yes`],
  ],
  [
    'an import with rows that failed',
    { summary: verifiedWith({ created: 999, failed: 1 }) },
    [`${whole} --only failed`],
  ],
  [
    'an import without an answer for a row',
    { summary: verifiedWith({ created: 999, unknown: 1 }) },
    [
      whole,
      'tenant-users get --by-external-id ID --profile prod',
      'tenant-users get --by-user-name NAME --profile prod',
    ],
  ],
  ['an import of hashes that are not verified', {}, [`${whole} --canary known.csv`]],
])('after %s the commands are complete', (_, data, commands) => {
  expect(commandsOf(dataWith({ ...data, command }))).toEqual(commands);
});

test.each(['--algorithm', '--recipe', '--from', '--delimiter'])(
  'with %s, known passwords are tried by the same command',
  (option) => {
    const words = ['import-hashes', 'my.csv', option, 'x'];
    const found = commandsOf(dataWith({ command: { ...command, words } }));
    expect(found).toEqual([`tenant-users import-hashes my.csv ${option} x --canary known.csv`]);
  },
);

test('options come before the operands that follow --', () => {
  const operands = { ...command, words: ['import-hashes', '--', '-my.csv'] };
  const found = commandsOf(dataWith({ summary: dry, command: operands }));
  expect(found[0]).toBe('tenant-users import-hashes --dry-run -- -my.csv');
});

test.each([
  [
    3,
    { ALGORITHM_MISSING: 3 },
    'Name the algorithm of 3 rows (--algorithm, or in the recipe), and check again',
  ],
  [
    4,
    { ALGORITHM_MISSING: 3, EMAIL: 1 },
    'Correct 1 row of the file (failures.csv lists what is wrong), name the algorithm of 3 rows (--algorithm, or in the recipe), and check again',
  ],
  [1, { EMAIL: 1 }, 'Correct 1 row of the file (failures.csv lists what is wrong), and check again'],
])('for %i rows, %j, the report says what to do', (invalid, codes, text) => {
  const summary = verifiedWith({ dry_run: true, created: 0, invalid, pending: 1000 - invalid, codes });
  expect(renderReport(dataWith({ summary }))).toContain(`<p>${text};`);
});

test('the report says so if nothing is left to do', () => {
  expect(renderReport(dataWith({ summary: verifiedWith() }))).toContain(
    'Nothing is left to do with this file.',
  );
  expect(renderReport(dataWith())).not.toContain('Nothing is left to do');
});

test.each([
  ['legacy.csv', 'legacy.csv'],
  ['-rf.csv', './-rf.csv'],
  ['my users.csv', "'my users.csv'"],
  ["it's.csv", "'it'\\''s.csv'"],
  ['$(id)`id`.csv', "'$(id)`id`.csv'"],
  ['用户.csv', "'用户.csv'"],
  ['', "''"],
  ["a\nb\u202E'.csv", "$'a\\012b\\342\\200\\256\\'.csv'"],
])('the path %j is quoted so that a shell reads it unchanged', (path, quoted) => {
  expect(quotePath(path)).toBe(quoted);
});

test.skipIf(process.platform === 'win32')('a shell reads every quoted path unchanged', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((path) => !/[\0\p{Cs}]/u.test(path));
  fc.assert(
    fc.property(
      fc.array(fc.oneof(text, fc.constant(hostile)), { minLength: 200, maxLength: 400 }),
      (paths) => {
        const words = paths.map(quotePath).join(' ');
        const read = execFileSync('bash', ['-c', `printf '%s\\0' ${words}`], { encoding: 'utf8' });
        expect(read.split('\0').slice(0, -1)).toEqual(
          paths.map((path) => (path.startsWith('-') ? `./${path}` : path)),
        );
      },
    ),
    // Each run starts a shell.
    { numRuns: 1 },
  );
});
