import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

test.each(['QW5', 'QW5uIA', 'QW5uIA=', 'QW5uI==='])(
  'base64 that was cut short (%s) is refused',
  async (value) => {
    await expect(runImport(`dn: uid=a\nuid:: ${value}\n`)).rejects.toThrow(
      /line 2: not readable as LDIF: the value after :: is not base64, or a part of it only/,
    );
  },
);

test.each(['cn', 'SN', 'givenName;lang-de', 'user_name'])(
  'a value of %s in Latin-1 is refused',
  async (name) => {
    await expect(runImport(`dn: uid=a\n${name}:: TfxsbGVy\n`)).rejects.toThrow(
      `line 2: not readable as LDIF: the value of ${name.toLowerCase()} is not text in UTF-8`,
    );
  },
);

test('an id that is bytes and no text stays base64', async () => {
  const guid = Buffer.from([0xff, 0, 0x80, 0xc3]).toString('base64');
  const content = `dn: uid=a\nuser_name: ann\nexternal_id:: ${guid}\nalgorithm: md5\nhash: ${goodHashes.md5}\n`;
  const { sent } = await runImport(content, { ignoreUnknown: true });
  expect(sent).toMatchObject([{ user_name: 'ann', external_id: guid }]);
});
