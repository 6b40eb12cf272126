import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { device } from '../../../test-service.ts';
import { startWorld } from '../../../world.ts';

test('an undo does not say that no login is known if a user who is disabled already has logged in', async () => {
  const world = await startWorld();
  const [file, job, to] = ['legacy.csv', 'job', 'undo'].map((name) => join(world.directory, name)) as [
    string,
    string,
    string,
  ];
  const rows = ['ann', 'bob'].map((name) => `${name},false,md5,${goodHashes.md5}\n`);
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\n${rows.join('')}`);
  expect(await world.run('import-hashes', file, '--job', job)).toMatchObject({ exitCode: 0 });
  const undo = () => world.run('undo', job, '--to', to, '--dry-run');
  const sentence = 'No login of any of them is known: a tenant that does not count logins';
  expect((await undo()).stderr).toContain(sentence);

  await world.client.logIn('bob', 'secret', device);
  const { user_id: id } = await world.client.getUserByUserName('bob');
  await world.client.disableUser(id);
  const { exitCode, stderr } = await undo();
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain(sentence);
});
