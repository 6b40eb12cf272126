import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

test('a plan says how long it takes at the pace of the last run into the tenant, and nothing without one', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const { user_id: eve } = await world.client.createUser({ user_name: 'eve' });
  const people = Array.from({ length: 30 }, (_, at) => `user${at},${at < 10 ? 'gone' : ''}\n`);
  await writeFile(within('staff.csv'), `login,state\neve,gone\n${people.join('')}`);
  const recipe = `from: csv
fields: { user_name: { column: login } }
disable: { where: { column: state, filled: true } }
`;
  await writeFile(within('recipe.yaml'), recipe);
  const how = ['--recipe', within('recipe.yaml'), '--allow-passwordless', '--to', within('plan')];
  const plan = async () => {
    const { stderr } = await world.run('plan', within('staff.csv'), ...how);
    const { forecast, target } = JSON.parse(await readFile(within('plan/plan.json'), 'utf8'));
    return { stderr, forecast, target, page: await readFile(within('plan/plan.html'), 'utf8') };
  };
  // 30 are created, 10 of them disabled, and Eve is read and disabled.
  const unknown = await plan();
  expect(unknown.forecast).toEqual({ requests: 42, seconds: 0 });
  expect(unknown.stderr).toContain('To apply: 42 requests or more\n');
  expect(unknown.page).toContain('takes 42 requests or more.');
  const speeds = { slowest: 1, likely: 2, fastest: 3, limit: null, in_flight: 2 };
  const known = { target: unknown.target, measured_at: new Date().toISOString(), ...speeds };
  await mkdir(within('state'), { recursive: true });
  await writeFile(within('state/pace.json'), JSON.stringify({ paces: [known] }));
  const { forecast, stderr, page } = await plan();
  expect(forecast).toEqual({ requests: 42, seconds: 21 });
  expect(stderr).toContain(
    'To apply: 42 requests or more, about 21 s at the pace of the last run into the tenant\n',
  );
  expect(page).toContain('at the pace of the last run into the tenant');
  expect((await world.client.getUser(eve)).disabled).toBe(false);
});
