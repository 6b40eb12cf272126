import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

test('a page that does not say what its plan does is neither signed nor verified', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  await world.client.createUser({ user_name: 'ann' });
  await writeFile(within('staff.csv'), 'user_name\nbob\nann\n');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  await writeFile(within('key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(within('key.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  const [to, page] = [within('plan'), within('plan/plan.html')];
  await world.run('plan', within('staff.csv'), '--to', to, '--allow-passwordless');
  const sign = () => world.run('plan', 'sign', to, within('key.pem'));
  const verify = () => world.run('plan', 'verify', to, within('key.pub'));
  const written = await readFile(page, 'utf8');
  const changed = written.replaceAll('creates 1', 'creates 0');
  const refused = {
    exitCode: 3,
    stdout: '',
    stderr: expect.stringContaining(
      `plan.html: this is not the page of the plan: it was changed, or another version of this program made it\nDelete the page, and read the plan with: tenant-users plan show ${to}\n`,
    ),
  };
  await writeFile(page, changed);
  expect(await sign()).toMatchObject(refused);
  expect(existsSync(within('plan/plan.sig'))).toBe(false);
  await writeFile(page, written);
  expect(await sign()).toMatchObject({ exitCode: 0 });
  expect(await verify()).toMatchObject({ exitCode: 0 });
  await writeFile(page, changed);
  expect(await verify()).toMatchObject(refused);
  await rm(page);
  expect(await verify()).toMatchObject({ exitCode: 0 });
});
