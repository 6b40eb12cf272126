import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planFaults } from '../../../src/service/fault-injection/plan.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { scriptOf } from '../../service/fault-injection/script-of.ts';
import { startWorld } from '../../world.ts';
import { writeKeys } from '../../write-keys.ts';
import { serveAgent, startAgent } from './start-agent.ts';

test('a plan shows neither the columns that are not read nor the examples of its recipe', async () => {
  const { root, world, call } = await startAgent();
  await writeFile(join(root, 'legacy.csv'), `login,hash,AnnSecret\nann,${goodHashes.md5},x\n`);
  const example = '{ in: { login: AnnSecret }, out: { user_name: AnnSecret } }';
  const recipe = `fields: { user_name: { column: login } }\npassword: { column: hash, algorithm: { infer: true } }\nexamples:\n  - ${example}\n`;
  await writeFile(join(root, 'own.yaml'), recipe);
  const plan = await call('plan', { file: 'legacy.csv', recipe: 'own.yaml', to: 'plan' });
  const shown = await call('show_plan', { directory: 'plan' });
  expect([plan, shown]).toMatchObject([{ isError: false }, { isError: false, totals: { create: 1 } }]);
  expect(JSON.stringify([plan, shown])).not.toContain('AnnSecret');
  const open = await serveAgent(world, root, '--with-values');
  expect(JSON.stringify(await open.call('show_plan', { directory: 'plan' }))).toContain('AnnSecret');
});

test('an apply that stopped also says what it had done until then', async () => {
  const { root, world } = await startAgent();
  await world.client.createUser({ user_name: 'ann', name: 'Ann' });
  const names = ['ann', ...Array.from({ length: 199 }, (_, number) => `user${number}`)];
  await writeFile(
    join(root, 'staff.csv'),
    ['user_name,name,algorithm,hash', ...names.map((name) => `${name},Anne,md5,${goodHashes.md5}`)].join(
      '\n',
    ),
  );
  const [own, approver] = await writeKeys(world.directory);
  const { call } = await serveAgent(world, root, '--require-signature', approver, '--timeout', '7');
  await call('plan', { file: 'staff.csv', to: 'plan', key: 'user_name', update: 'name' });
  await world.run('plan', 'sign', join(root, 'plan'), own);
  await world.run('update', '--by-user-name', 'ann', '--name', 'Other');
  expect(await call('apply', { directory: 'plan' })).toMatchObject({
    isError: true,
    exit_code: 8,
    error: { code: 'DRIFT' },
    result: { rows: 200, updated: 0 },
  });
  const goOn = `apply --require-signature=${approver} --accept-drift 1 -- `;
  expect(JSON.stringify(await call('job_status', { directory: 'plan' }))).toContain(goOn);
});

test('a tool waits no longer than the server was told', async () => {
  const slow = { operation: 'listUsers', do: { latency_ms: 1000 } };
  const world = await startWorld({
    faults: planFaults(scriptOf(JSON.stringify({ faults: [slow] })), Date.now),
  });
  const { call } = await serveAgent(world, world.directory, '--timeout', '0.1');
  expect(await call('count_users')).toMatchObject({
    isError: true,
    exit_code: 9,
    error: { code: 'NETWORK' },
  });
});
