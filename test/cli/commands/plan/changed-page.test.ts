import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Plan } from '../../../../src/migration/plan/document/plan-schemas.ts';
import { renderPlan } from '../../../../src/migration/plan/document/render-plan.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';
import { writeKeys } from '../../../write-keys.ts';

test('a page that does not say what its plan does is neither signed nor verified', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  await world.client.createUser({ user_name: 'ann' });
  await writeFile(within('staff.csv'), 'user_name\nbob\nann\n');
  await writeKeys(world.directory);
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
  await writeFile(page, written);
  expect((await verify()).stderr).toContain('The plan and its page are unchanged, and the signature');
  await rm(page);
  const without = await verify();
  expect(without).toMatchObject({ exitCode: 0 });
  expect(without.stderr).toContain('The plan is unchanged, and the signature');
});

test('the undo of a job is signed and verified where the job is not', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  await writeFile(within('staff.csv'), `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`);
  await world.run('import-hashes', within('staff.csv'), '--job', within('job'));
  await world.run('undo', within('job'), '--to', within('undo'), '--dry-run');
  await rename(within('job'), within('elsewhere'));
  await writeKeys(world.directory);
  for (const words of [
    ['sign', within('undo'), within('key.pem')],
    ['verify', within('undo'), within('key.pub')],
  ])
    expect(await world.run('plan', ...words)).toMatchObject({ exitCode: 0 });
});

test('the page of a plan is the same on each system, also that of a file with a path of Windows', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  await writeFile(within('our staff.csv'), `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`);
  await world.run('plan', within('our staff.csv'), '--to', within('plan'));
  const plan: Plan = JSON.parse(await readFile(within('plan/plan.json'), 'utf8'));
  const other = { ...plan, file: { ...plan.file, path: 'C:\\our exports\\staff.csv' } };
  const render = () => [plan, other].map(renderPlan);
  const { platform } = process;
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
  const pages = ['linux', 'win32'].map((value) => {
    Object.defineProperty(process, 'platform', { value });
    return render();
  });
  expect(pages[1]).toEqual(pages[0]);
  expect(pages[0]?.[1]).toContain('<bdi>staff.csv</bdi>');
});
