import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { importFile, recordingClient, runImport } from '../run-import.ts';

/** The first entry of a ZIP archive, as at the beginning of a workbook. */
function zipOf(name: string, text: string): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name), deflateRawSync(text)]);
}

const xls = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);

test.each<[string, string | Buffer, RegExp]>([
  [
    '.xlsx',
    zipOf('[Content_Types].xml', '<x/>'),
    /a spreadsheet \(.xlsx or .ods\), not CSV, JSON or LDIF; export CSV from the source/,
  ],
  [
    '.ods',
    zipOf('mimetype', '').subarray(0, 38).toString('latin1').concat('application/vnd.oasis'),
    /\.ods\)/,
  ],
  ['.xls', xls, /a spreadsheet \(.xls\), not CSV, JSON or LDIF; .*leading zeros/],
  ['.zip', zipOf('users.csv', 'user_name'), /a ZIP archive, not CSV, JSON or LDIF; unpack it/],
  ['.zst', Buffer.from('28b52ffd04', 'hex'), /a zstd archive, not CSV, JSON or LDIF; unpack it with zstd -d/],
  ['.fods', '<?xml version="1.0"?><office:document/>', /this is XML or HTML, not CSV/],
  ['SQL', "-- dump\nINSERT INTO users VALUES ('ann');\n", /an SQL dump, not CSV/],
  ['SQL', 'COPY public.users (id, email) FROM stdin;\n1\ta@b.cn\n\\.\n', /an SQL dump, not CSV/],
])('the message names %s, and the safe way to convert it to CSV', async (_, content, message) => {
  await expect(runImport(content)).rejects.toThrow(message);
});

test('standard input is rejected, since a file is read more than once', async () => {
  await expect(importFile(recordingClient(), { file: '-', jobDirectory: 'none' })).rejects.toThrow(
    /standard input cannot be used: .*save it to a file/,
  );
});

test.each(['dn', 'version', '"[x]"', 'PK', 'set'])('a CSV file may begin with a column %s', async (name) => {
  const content = `${name},user_name,algorithm,hash\n,ann,md5,${goodHashes.md5}\n`;
  expect((await runImport(content, { ignoreUnknown: true })).sent).toHaveLength(1);
});
