import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const importing = (name: string) =>
  runImport(JSON.stringify({ user_name: 'ann', name, algorithm: 'md5', hash: goodHashes.md5 }));

/** What a database with the character set latin1 returns for text in another encoding. */
test.each([
  ['gb18030', '张三'],
  ['gb18030', '李伟'],
  ['gb18030', '欧阳小明'],
  ['windows-1251', 'Иван Петров'],
  ['koi8-r', 'Мария'],
  ['windows-1253', 'Γιώργος'],
  ['euc-kr', '김민수'],
  ['utf-8', '张三'],
])('a name in %s that was read as Latin-1 is rejected: %s', async (encoding, name) => {
  const read = iconv.decode(iconv.encode(name, encoding), 'iso-8859-1');
  const { sent, failures } = await importing(read);
  expect(sent).toEqual([]);
  expect(['MOJIBAKE', 'CONTROL_CHARACTER']).toContain(failures[0]?.code);
});

test.each([
  ...['Zoë Müller-Lüdenscheidt', 'Íñigo Núñez', 'Þórður Ægisson', 'Åsa Öö', 'Đặng Thị Hà', 'Aðalbjörg Ýr'],
  ...[
    'João Conceição',
    'Søren Kjær Ødegård',
    'Gülsüm Öz',
    'Miloš Růžička',
    'Nuño «Ñoño» Güell',
    'D´Arcy ½ ²',
  ],
])('%s is accepted as a name', async (name) => {
  expect((await importing(name)).failures).toEqual([]);
});
