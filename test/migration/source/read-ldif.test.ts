import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

test.each(['QW5', 'QW5uIA', 'QW5uIA=', 'QW5uI==='])(
  'base64 that was cut off (%s) is rejected',
  async (value) => {
    await expect(runImport(`dn: uid=a\nuid:: ${value}\n`)).rejects.toThrow(
      /line 2: not readable as LDIF: the value after :: is not base64, or a part of it only/,
    );
  },
);

test.each(['cn', 'SN', 'givenName;lang-de', 'displayName'])(
  'an entry with a value of %s in Latin-1 is rejected, and the others are read',
  async (name) => {
    const entry = (uid: string, value: string) =>
      `dn: uid=${uid}\nuid: ${uid}\n${name}${value}\nuserPassword: {MD5}QUFBQUFBQUFBQUFBQUFBQQ==\n\n`;
    const { summary, sent } = await runImport(entry('ann', ': Ann') + entry('bob', ':: TfxsbGVy'), {
      map: [
        { field: 'user_name', column: 'uid' },
        { field: 'name', column: name },
        { field: 'hash', column: 'userPassword' },
      ],
      algorithm: 'md5',
      ignoreUnknown: true,
    });
    expect(sent.map(({ user_name }) => user_name)).toEqual(['ann']);
    expect(summary.codes).toEqual({ ENCODING: 1 });
  },
);

test('an id that is bytes and not text stays base64', async () => {
  const guid = Buffer.from([0xff, 0, 0x80, 0xc3]).toString('base64');
  const content = `dn: uid=a\nuser_name: ann\nexternal_id:: ${guid}\nalgorithm: md5\nhash: ${goodHashes.md5}\n`;
  const { sent } = await runImport(content, { ignoreUnknown: true });
  expect(sent).toMatchObject([{ user_name: 'ann', external_id: guid }]);
});

const ann = `dn: uid=a\nuser_name: ann\nalgorithm: md5\nhash: ${goodHashes.md5}\n`;

test('an entry without a blank line before it is rejected, since two people would become one user', async () => {
  const joined = `${ann}dn: uid=b\nuser_name: bob\nalgorithm: md5\nhash: ${goodHashes.md5}\n`;
  await expect(runImport(joined, { ignoreUnknown: true })).rejects.toThrow(
    /line 5: not readable as LDIF: an entry begins inside another/,
  );
});

test.each(['search: 2\nresult: 4 Size limit exceeded\n', '# Result Code:  11 (admin limit exceeded)\n'])(
  'a search that ended early (%j) is rejected, since entries are missing',
  async (end) => {
    await expect(runImport(`${ann}\n# search result\n${end}`, { ignoreUnknown: true })).rejects.toThrow(
      /line \d: not readable as LDIF: the search ended early \(result (?:4|11)\), so entries are missing/,
    );
  },
);

test('pages of a search, and an attribute of an entry with the name result, are read', async () => {
  const end = 'search: 2\nresult: 0 Success\ncontrol: 1.2 false MA0=\npagedresults: cookie=\n';
  const bob = ann.replace('ann', 'bob').replace('uid=a\n', 'uid=b\nresult: 4 points\n');
  const { sent } = await runImport(`${ann}\n${end}\n${bob}\n${end}`, { ignoreUnknown: true });
  expect(sent.map((user) => user.user_name).sort()).toEqual(['ann', 'bob']);
});

test.each(['cn', 'userPassword', 'givenName;lang-de'])(
  'a value of %s in a file of its own is rejected, but a picture is ignored',
  async (name) => {
    const picture = `${ann}jpegPhoto:< file:///tmp/a.jpg\n`;
    expect((await runImport(picture, { ignoreUnknown: true })).sent).toHaveLength(1);
    await expect(runImport(`${picture}${name}:< file:///tmp/b\n`)).rejects.toThrow(
      /line 6: .* is in a file of its own; export it again, with ldapsearch without -t/,
    );
  },
);

test('a line without a colon is refused at once, whatever options it has', async () => {
  const before = process.cpuUsage();
  await expect(runImport(`dn: uid=a\nuid: a\nmail${';;a'.repeat(20)}\n`)).rejects.toThrow(/not of the form/);
  // Twice as long for each option more, it would take 10 s of processor time.
  expect(process.cpuUsage(before).user).toBeLessThan(500_000);
});
