import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SourceError } from '../../../src/migration/model/errors.ts';
import { delimiterNamed } from '../../../src/migration/source/detect-delimiter.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const people = [
  { user_name: 'ann', algorithm: 'md5', hash: goodHashes.md5, name: 'Ann "A" Özil' },
  { user_name: 'bob', algorithm: 'bcrypt', hash: goodHashes.bcrypt, name: '李雷', email: 'bob@example.com' },
];
const sent = [
  { user_name: 'ann', name: 'Ann "A" Özil', 'hash-pwd': { algorithm: 'md5', value: goodHashes.md5 } },
  {
    user_name: 'bob',
    name: '李雷',
    email: 'bob@example.com',
    'hash-pwd': { algorithm: 'bcrypt', value: goodHashes.bcrypt },
  },
];

const lines = people.map((one) => JSON.stringify(one)).join('\n');
const ldif = people
  .map((one, index) => {
    const values = Object.entries(one).map(([name, value]) =>
      /^[\x20-\x7e]*$/.test(value)
        ? `${name}: ${value}`
        : `${name}:: ${Buffer.from(value).toString('base64')}`,
    );
    return [`dn: uid=${index},dc=example`, ...values].join('\n').replaceAll(/(.{60})(?=.)/g, '$1\n ');
  })
  .join('\n\n');
const csv = people.map(({ email = '', ...one }) => {
  const cells = [one.user_name, one.algorithm, one.hash, one.name, email];
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
});

const files: [string, string, { header?: string[]; ignoreUnknown?: boolean }][] = [
  ['lines of JSON', lines, {}],
  ['lines of JSON with blank lines, CR LF and a mark', `\ufeff${lines.replace('\n', '\r\n\r\n')}\n`, {}],
  ['objects of JSON over several lines', people.map((one) => JSON.stringify(one, null, 2)).join('\n'), {}],
  ['a JSON list', JSON.stringify(people), {}],
  ['a JSON list over several lines', JSON.stringify(people, null, 2), {}],
  ['a member of a JSON object', JSON.stringify({ realm: 'x', roles: [{ a: [{}] }], users: people }), {}],
  [
    'members of several JSON objects',
    people.map((one) => JSON.stringify({ realm: 'x', users: [one] })).join('\n'),
    {},
  ],
  [
    'LDIF',
    `# export\nversion: 1\n\n${ldif}\n\n# search result\nsearch: 2\nresult: 0 Success\n`,
    { ignoreUnknown: true },
  ],
  ['LDIF with CR LF', ldif.replaceAll('\n', '\r\n'), { ignoreUnknown: true }],
  ['CSV without a header', csv.join('\n'), { header: ['user_name', 'algorithm', 'hash', 'name', 'email'] }],
];

test.each(files)('%s gives the same users as CSV with a header', async (_, content, options) => {
  const { sent: users, summary } = await runImport(content, options);
  expect(users).toEqual(sent);
  expect(summary).toMatchObject({ rows: 2, created: 2 });
});

test.each(files)('%s is read from gzip', async (_, content, options) => {
  expect((await runImport(gzipSync(content), options)).sent).toEqual(sent);
});

test.each([
  ['utf-16le', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(lines, 'utf16le')])],
  ['utf-8', Buffer.from(lines)],
])('JSON is read in %s too', async (_, bytes) => {
  expect((await runImport(bytes)).sent).toEqual(sent);
});

test('values of JSON are named by their paths, numbers keep all their digits, and null is no value', async () => {
  const record = `{"user_name":"ann","algorithm":"md5","hash":"${goodHashes.md5}","app":{"ids":[12345678901234567890, "x"]},"zip":01}`;
  const good = record.replace(
    ':01}',
    ':1.50, "name": null, "e": 1e3, "t": "a 1e3 \\"b\\" 12345678901234567890"}',
  );
  const map = ['external_id=app.ids.0', 'mailing_address=t', 'industry=e', 'attr_nick_name=zip'].map(
    (one) => {
      const [field = '', column = ''] = one.split('=');
      return { field, column };
    },
  );
  const run = await runImport(good, { map, ignoreUnknown: true, accept: ['LEADING_ZEROS'] });
  expect(run.sent).toMatchObject([
    {
      external_id: '12345678901234567890',
      mailing_address: 'a 1e3 "b" 12345678901234567890',
      industry: '1e3',
      attr_nick_name: '1.50',
    },
  ]);
  await expect(runImport(record, { map, ignoreUnknown: true })).rejects.toThrow(
    /line 1: the record is not readable/,
  );
});

test('attributes in a list of JSON are named by their name field, whatever their number and order', async () => {
  const attributes = (order: number[]) => {
    const names = ['name', 'email', ...Array.from({ length: 12 }, (_, number) => `custom:${number}`)];
    return order.map((at) => ({ Name: names[at], Value: at === 1 ? 'ann@example.com' : `v${at}` }));
  };
  const all = [...Array(14).keys()];
  const users = [attributes(all), attributes(all.toReversed())].map((list, row) => ({
    ...{ user_name: `u${row}`, algorithm: 'md5', hash: goodHashes.md5 },
    Attributes: row === 0 ? list : list.filter(({ Name }) => Name !== 'email'),
  }));
  const map = [
    { field: 'name', column: 'Attributes.name' },
    { field: 'email', column: 'Attributes.email' },
    { field: 'industry', column: 'Attributes.custom:11' },
  ];
  const run = await runImport(JSON.stringify({ Users: users }), { map, ignoreUnknown: true });
  expect(run.sent).toMatchObject([
    { name: 'v0', email: 'ann@example.com', industry: 'v13' },
    { name: 'v0', industry: 'v13' },
  ]);
  // With two items of the same name, or an item with more fields, it is a list like any other.
  const others = [
    [
      { Name: 'a', Value: 'x' },
      { Name: 'a', Value: 'y' },
    ],
    [
      { Name: 'a', Value: 'x', Kind: 1 },
      { Name: 'b', Value: 'y' },
    ],
  ];
  for (const list of others) {
    const record = { user_name: 'ann', algorithm: 'md5', hash: goodHashes.md5, list };
    const read = { map: [{ field: 'name', column: 'list.1.Value' }], ignoreUnknown: true };
    expect((await runImport(JSON.stringify(record), read)).sent).toMatchObject([{ name: 'y' }]);
  }
});

test('issues name the row and the line on which the record begins', async () => {
  const bad = '{"user_name":"x",\n"algorithm":"md5","hash":"short"}';
  const { failures } = await runImport(`${lines}\n${bad}\n${bad}`);
  expect(failures.map(({ row, line }) => [row, line])).toEqual([
    ['3', '3'],
    ['4', '5'],
  ]);
  const entries = await runImport(`${ldif}\n\ndn: uid=c\nuser_name: c\nalgorithm: md5\nhash: x\n`, {
    ignoreUnknown: true,
  });
  expect(entries.failures.map(({ row }) => row)).toEqual(['3']);
});

test.each([
  [
    'a JSON file that was cut short',
    `[${lines.replace('\n', ',\n')}`,
    /line 2: not readable as JSON: the file ends inside a value/,
  ],
  ['text between records', `${lines}\nghost\n`, /line 3: not readable as JSON: a record must be an object/],
  ['scalars', '[{"a":1},7]', /a record must be an object/],
  ['a record that is not JSON', `${lines}\n{"user_name":"x",}`, /line 3: the record is not readable as JSON/],
  ['no records', '{"users":[]}', /there are no records in the list "users"/],
  ['two values of one path', '{"a.b":"1","a":{"b":"2"}}', /two values of the record have the same path/],
  [
    'changes instead of entries',
    'dn: uid=a\nchangetype: modify\n',
    /line 2: not readable as LDIF: this file holds changes \(changetype: modify\)/,
  ],
  [
    'a line of LDIF that is none',
    'dn: uid=a\nuid ann\n',
    /line 2: not readable as LDIF: the line is not of the form/,
  ],
  [
    'bad base64 in LDIF',
    'dn: uid=a\nuid:: !!\n',
    /line 2: not readable as LDIF: the value after :: is not base64/,
  ],
  ['a name list for JSON', lines, /this is JSON, whose values have names of their own/],
])('%s is rejected with its line, before anything is sent', async (what, content, message) => {
  const options = what.startsWith('a name list') ? { header: ['a'] } : {};
  await expect(runImport(content, options)).rejects.toThrow(message);
});

test('a gzip archive that was cut off is rejected', async () => {
  const whole = gzipSync(
    Array.from({ length: 3000 }, (_, row) => `{"user_name":"u${row}${Math.random()}"}`).join('\n'),
  );
  await expect(runImport(whole.subarray(0, whole.length - 2000))).rejects.toThrow(
    /the gzip archive is damaged or cut short/,
  );
});

test('fuzzed files end with users or with a reason, never with an internal error', async () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    'a',
    '1',
    '\n',
    ' ',
    '"users":',
    '{"a":"b"}',
    'dn: x\n',
    'null',
    'é',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('{"', '[{', 'dn: a\n'),
      fc.array(piece, { maxLength: 30 }),
      async (start, pieces) => {
        try {
          await runImport(start + pieces.join(''), {
            allowPasswordless: true,
            ignoreUnknown: true,
            dryRun: true,
          });
        } catch (failure) {
          if (!(failure instanceof SourceError)) throw failure;
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('a large number of brackets without an end is rejected without deep recursion', async () => {
  await expect(runImport(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).rejects.toThrow(SourceError);
});

test('a name that every object has is not a delimiter', () => {
  expect(['constructor', 'toString', 'semicolon', 'Pipe'].map(delimiterNamed)).toEqual([
    undefined,
    undefined,
    ';',
    '|',
  ]);
});
