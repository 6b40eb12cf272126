import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';

/** Ann in a local database, and Bob in the service, each with a plan; the profile `own` is that of the database. */
async function twoTenants() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const local = ['--local', within('own.db')];
  await writeFile(within('users.csv'), 'user_name\nann\n');
  for (const [name, tenant] of [
    ['ann', local],
    ['bob', []],
  ] as const) {
    await world.run('create', '--user-name', name, ...tenant);
    await world.run('plan', within('users.csv'), '--allow-passwordless', '--to', within(name), ...tenant);
  }
  await writeFile(
    within('config.json'),
    JSON.stringify({ current: 'own', profiles: { own: { local: within('own.db') } } }),
    { mode: 0o600 },
  );
  return { ...world, within, local };
}

test('log and runs list only what was done in the tenant that an option selects', async () => {
  const { run, within, local, baseUrl } = await twoTenants();
  for (const [options, tenants] of [
    [local, ['own']],
    [['--profile', 'own'], ['own']],
    [['--base-url', baseUrl], ['service']],
    [['--base-url', 'https://id.example.com'], []],
    [[], ['service', 'own']],
  ] as const) {
    const changes = JSON.parse((await run('log', '--json', ...options)).stdout).changes as object[];
    const targets = { own: { database: within('own.db') }, service: { base_url: baseUrl } };
    expect(changes).toMatchObject(tenants.map((name) => ({ target: targets[name] })));
    const { jobs, total } = JSON.parse((await run('runs', '--json', ...options)).stdout);
    expect(jobs).toMatchObject(tenants.map((name) => ({ target: targets[name] })));
    expect(total).toBe(tenants.length);
  }
});

test('log and runs refuse a profile that does not exist, as other commands do', async () => {
  const { run } = await twoTenants();
  for (const command of ['log', 'runs'])
    expect(await run(command, '--profile', 'nope')).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining('nope'),
    });
});
