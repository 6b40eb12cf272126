import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

test('a row is refused for an algorithm that its recipe does not list, as an import does', async () => {
  const { runWith, directory } = await startWorld();
  const [recipe, csv] = [join(directory, 'own.yaml'), join(directory, 'legacy.csv')];
  const text = `fields: { user_name: { column: login } }
password: { column: pwd, algorithm: { column: enc, values: { X: md5 } } }\n`;
  await writeFile(recipe, text);
  const hash = createHash('md5').update('geheim').digest('hex');
  await writeFile(csv, `login,pwd,enc\nann,${hash},md5\nbob,${hash},X\n`);
  const verify = (...row: string[]) =>
    runWith(
      { env: {}, stdin: 'geheim' },
      ...['hash', 'verify', '--csv', csv, '--recipe', recipe, '--password-stdin', ...row],
    );
  expect(await verify('--by-user-name', 'ann')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringMatching(/legacy\.csv, line 2: row 1 cannot be sent: enc: .* \(md5\)\n.*recipe/),
  });
  expect(await verify('--row', '2')).toMatchObject({ exitCode: 0 });
});

test('without an algorithm, the form of the hash says which ones are possible, and that others cannot be checked', async () => {
  const { runWith, directory } = await startWorld();
  const csv = join(directory, 'legacy.csv');
  const rows = [
    `ann,,$P$B${'a'.repeat(30)}`,
    `bob,,${createHash('sha256').update('x').digest('hex')}`,
    `cyd,,${createHash('md5').update('x').digest('hex')}`,
  ];
  await writeFile(csv, `user_name,algorithm,hash\n${rows.join('\n')}\n`);
  const args = ['hash', 'verify', '--csv', csv, '--password-stdin', '--row'];
  const verify = async (row: number) => (await runWith({ env: {}, stdin: 'x' }, ...args, String(row))).stderr;
  expect(await verify(1)).toMatch(
    /line 2 \(row 1\): the API does not accept this hash \(.*phpass.*\n.*--foreign-hashes passwordless/,
  );
  expect(await verify(2)).toContain('Use --algorithm with one of md5_sha256, hmacsha256');
  expect(await verify(3)).toContain('Use --algorithm with md5; hash identify');
});
