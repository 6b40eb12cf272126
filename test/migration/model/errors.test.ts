import { chmod, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SourceError } from '../../../src/migration/model/errors.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient, runImport } from '../run-import.ts';

const row = `ann,md5,${goodHashes.md5}`;

test.each<[string, string | Uint8Array, RegExp]>([
  ['an empty file', '', /the file is empty; it needs a header line/],
  ['a file of blank lines', '\uFEFF\n\r\n\n', /the file is empty/],
  ['a repeated column', 'user_name,hash,user_name,algorithm', /line 1: columns 1 and 3 are both user_name/],
  ['two spellings of one column', 'hash,algorithm,hash-pwd.value', /columns 1 and 3 are both value/],
  [
    'unknown columns',
    'Login,user_name,hash,algorithm,Shoe size',
    /unknown columns: Login, Shoe size; .*Available: user_name, .*extension\.<key>/,
  ],
  ['a nameless column', 'user_name,hash,algorithm,', /unknown columns: \(column 4\);/],
  ['an extension without a key', 'extension.,hash,algorithm', /unknown columns: extension\.;/],
  [
    'JSON of no user',
    '{"tenant_id":"a","mobile":{"default_area_code":"49"}}\n',
    /no column has a known name; each object or entry must be a user, .* with the name users, Users, Resources;/,
  ],
  ['no header at all', `\n${row}\n`, /line 2: the first line looks like a row, not like names of columns/],
  ['no password columns', 'user_name,key', /columns "algorithm" and "hash" are missing/],
  ['no hash column', 'user_name,algorithm', /column "hash" is missing/],
  ['no algorithm column', 'user_name,hash', /column "algorithm" is missing/],
  [
    'a quote left open to the end',
    `user_name,algorithm,hash\n"a\nb",md5,x\n${row}\nbob,"md5,${goodHashes.md5}\n\n${row}\n`,
    /line 5: a quote opens in this row and is never closed/,
  ],
  [
    'a quote left open to the next quote',
    `user_name,algorithm,hash\n"ann,md5,x\n\n"bob",md5,x`,
    /line 2: text follows a closing quote in this row/,
  ],
  [
    'a quote inside a plain value',
    `user_name,algorithm,hash\n\nann "x",md5,y`,
    /line 3: a quote stands inside a value that is not quoted/,
  ],
  [
    'a quote inside a plain value of a file with tabs, as mysql writes it',
    `user_name\talgorithm\thash\nann "x"\tmd5\ty`,
    /line 2: a quote stands inside .*; for a whole file: sed 's\/"\/""\/g; s\/\[\^\\t\]\*\/"&"\/g'/,
  ],
  [
    'half a character at the end',
    Buffer.from('user_name\né').subarray(0, -1),
    /line 2: the text is not UTF-8, or a character is cut/,
  ],
  ['a header without rows', 'user_name,algorithm,hash\n', /line 1: .*no rows/],
  ['a NUL byte', 'user_name,algorithm,hash\nann\0,md5,x', /line 2: .*NUL byte/],
])('%s is rejected before anything is sent', async (_, content, message) => {
  const client = recordingClient();
  const failure = await runImport(content, {}, client).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SourceError);
  expect(String(failure)).toMatch(message);
  expect(String(failure)).toMatch(/users\.csv/);
  expect(String(failure)).not.toContain(goodHashes.md5);
  expect(client.sent).toEqual([]);
});

test('unknown columns are accepted if they are to be ignored, even two with the same name', async () => {
  const content = `x,user_name,algorithm,hash,x\n1,${row},2\n`;
  const { sent } = await runImport(content, { ignoreUnknown: true });
  expect(sent).toEqual([{ user_name: 'ann', 'hash-pwd': { algorithm: 'md5', value: goodHashes.md5 } }]);
});

test('an input that is not a file, or cannot be read, is reported as such', async () => {
  await inDirectory(async (directory) => {
    const closed = join(directory, 'closed.csv');
    await writeFile(closed, '');
    await chmod(closed, 0);
    const fault = (file: string) =>
      importFile(recordingClient(), { file, jobDirectory: join(directory, 'job') }).catch(String);

    expect(await fault(directory)).toMatch(/SourceError: .*this is a directory, not a file/);
    expect(await fault(devNull)).toMatch(/this is a pipe or a device, not a file/);
    expect(await fault(join(directory, 'none.csv'))).toMatch(
      /none\.csv: there is no such file; check the path/,
    );
    // Root can read every file.
    expect(await fault(closed)).toMatch(process.getuid?.() === 0 ? /is empty/ : /permission denied/);
  });
});
