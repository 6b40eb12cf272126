import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { attributeNames } from '../../../../src/contract/attributes.ts';
import type { NewUser, User } from '../../../../src/contract/wire.ts';
import { startWorld } from '../../../world.ts';

const awkward: NewUser[] = [
  { user_name: 'quotes', name: 'Ann "the, comma" O\'Neil', mailing_address: '"', extension: { age: '042' } },
  {
    user_name: '李雷',
    name: '李雷，字"某"',
    industry: '事业单位',
    attr_gender: 'male',
    attr_birthday: '2022-02-17',
  },
  {
    user_name: '0012',
    zip_code: '00123',
    external_id: '007',
    mobile: '86-15200000000',
    email: 'A.B@example.com',
  },
  { user_name: 'formula', name: 'in  the  middle', last_name: '=1+1' },
  { user_name: 'image', head_img: 'data:image/png;base64,AAAA', first_name: 'null', middle_name: '0' },
];

/** A user whom the import rejects, since a blank at either end counts as damage of the file. */
const damaged: NewUser = { user_name: 'blanks', name: ' in front and behind ' };

/** The attributes that an import can transfer: no ids, no times, and not whether a user is disabled. */
function importable(users: User[]): object[] {
  const names: readonly string[] = [...attributeNames, 'extension'];
  return users.map((user) =>
    Object.fromEntries(Object.entries(user).filter(([name]) => names.includes(name))),
  );
}

test('the CSV of list --all can be imported with import-hashes after hashes are added', async () => {
  const [source, target] = [await startWorld(), await startWorld()];
  for (const user of awkward) await source.client.createUser(user);
  await source.client.createUser(damaged);
  for (let number = 0; number < 29; number += 1)
    await source.client.createUser({ user_name: `more${number}` });

  const listed = await source.run('list', '--all', '--limit', '10', '-o', 'csv');
  expect(listed).toMatchObject({ exitCode: 0, stderr: '35 of 35 users\n' });
  const rows: Record<string, string>[] = parse(listed.stdout, { columns: true });
  const withHashes = rows.map((row) => ({
    ...row,
    algorithm: 'md5',
    hash: 'e10adc3949ba59abbe56e057f20f883e',
  }));
  const file = join(target.directory, 'users.csv');
  await writeFile(file, stringify(withHashes, { header: true }));

  const job = ['--job', join(target.directory, 'job')];
  const refused = await target.run('import-hashes', file, ...job);
  expect(refused.exitCode).toBe(2);
  const unknown = ['user_id', 'pwd_change_at', 'created_at', 'updated_at', 'disabled'];
  expect(refused.stderr).toContain(`unknown columns: ${unknown.join(', ')}, usr_auth_times, usr_last_login;`);

  const imported = await target.run(
    'import-hashes',
    file,
    ...job,
    '--ignore-unknown',
    '--accept',
    'FORMULA',
    '--accept',
    'NULL_MARKER',
    '--concurrency',
    '1',
    '--json',
  );
  expect(imported.exitCode).toBe(7);
  expect(JSON.parse(imported.stdout)).toMatchObject({ created: 34, invalid: 1, codes: { OUTER_BLANK: 1 } });
  const usersOf = async ({ run }: typeof source): Promise<User[]> =>
    JSON.parse((await run('list', '--all', '--json')).stdout).users;
  const before = importable((await usersOf(source)).filter(({ user_name }) => user_name !== 'blanks'));
  expect(before.slice(0, awkward.length)).toEqual(awkward);
  expect(importable(await usersOf(target))).toEqual(before);
});

test('an apostrophe that list --safe wrote against formulas does not come back into the tenant', async () => {
  const { client, run, directory } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann', mailing_address: '-street 7' });
  const file = join(directory, 'safe.csv');
  const { stdout } = await run('list', '--all', '-o', 'csv', '--safe');
  expect(stdout).toContain(",'-street 7,");
  await writeFile(file, stdout);
  const words = ['update', '--csv', file, '--to', join(directory, 'update'), '--ignore-unknown', '--yes'];
  const ended = await run(...words);
  expect(ended).toMatchObject({ exitCode: 7, stdout: expect.stringMatching(/ESCAPED +│ +1/) });
  expect((await client.getUser(user_id)).mailing_address).toBe('-street 7');
});
