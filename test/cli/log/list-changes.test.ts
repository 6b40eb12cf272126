import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../migration/hashes.ts';
import { startWorld } from '../../world.ts';

/** A world in which a job has created Ann; Bob's row is invalid. */
async function imported() {
  const world = await startWorld();
  const [file, job] = [join(world.directory, 'legacy.csv'), join(world.directory, 'job')];
  const write = (...rows: string[]) =>
    writeFile(file, `user_name,algorithm,hash\n${rows.map((row) => `${row}\n`).join('')}`);
  const runAgain = (...args: string[]) => world.run('import-hashes', file, '--job', job, ...args);
  await write(`ann,md5,${goodHashes.md5}`, 'bob,md5,cut');
  expect((await runAgain()).exitCode).toBe(7);
  const [first] = JSON.parse((await world.run('log', '--json')).stdout).changes;
  const runsOf = async (name: string) => {
    const { user_id: id } = await world.client.getUserByUserName(name);
    const { changes, unsearched_runs } = JSON.parse((await world.run('log', '--user', id, '--json')).stdout);
    return { times: changes.map(({ time }: { time: string }) => time), unsearched_runs };
  };
  const log = join(world.directory, 'state/log/000001.jsonl');
  return { ...world, job, write, runAgain, first: first.time, runsOf, log };
}

test('a user is not listed for a run that changed nobody, such as one that started the job over', async () => {
  const { runAgain, runsOf, first } = await imported();
  expect((await runAgain('--restart')).exitCode).toBe(7);
  expect(await runsOf('ann')).toEqual({ times: [first], unsearched_runs: 0 });
});

test('a user whose row is not in the corrected file is found in the archived list, for each run of the job', async () => {
  const { write, runAgain, runsOf, first } = await imported();
  await write(`bob,md5,${goodHashes.md5}`);
  expect((await runAgain('--only', 'failed')).exitCode).toBe(7);
  expect(await runsOf('ann')).toEqual({ times: [expect.any(String), first], unsearched_runs: 0 });
  expect((await runsOf('bob')).times).not.toEqual([]);
});

test('a run that was killed is counted as not searched, unless a later run of the job wrote the list', async () => {
  const { client, run, runAgain, runsOf, first, log } = await imported();
  const [begun = '{}'] = (await readFile(log, 'utf8')).split('\n');
  const own = { id: 'killed', command: 'apply', time: new Date().toISOString() };
  const killed = JSON.stringify({ ...JSON.parse(begun), ...own });
  await writeFile(log, `${killed}\n`, { flag: 'a' });
  const { user_id: cid } = await client.createUser({ user_name: 'cid' });
  expect(await runsOf('cid')).toEqual({ times: [], unsearched_runs: 1 });
  // Ann is in the list that the first run wrote before, and may have been changed again.
  expect(await runsOf('ann')).toEqual({ times: [expect.any(String), first], unsearched_runs: 0 });
  expect((await run('log', '--user', cid)).stderr).toContain(
    'Warning: 1 run not searched for the user: there is no users.csv of it, because it was removed, or the run did not end\n',
  );
  await runAgain();
  expect(await runsOf('cid')).toEqual({ times: [], unsearched_runs: 0 });
  // Also if the run that wrote the list is of another command than the one asked for.
  const asked = await run('log', '--user', cid, '--command', 'apply', '--json');
  expect(JSON.parse(asked.stdout)).toMatchObject({ changes: [], unsearched_runs: 0 });
});

test('a run whose lists were removed is counted as not searched, unless it changed nobody', async () => {
  const { client, job, runsOf, runAgain } = await imported();
  await runAgain('--restart');
  await rm(join(job, 'users-1.csv'));
  await rm(join(job, 'users.csv'));
  await client.createUser({ user_name: 'cid' });
  expect(await runsOf('cid')).toEqual({ times: [], unsearched_runs: 1 });
});

test('a run has the number of users whom it changed itself, not of those of its whole job', async () => {
  const { run, write, runAgain, runsOf, first } = await imported();
  expect((await runAgain()).exitCode).toBe(7);
  await write(`ann,md5,${goodHashes.md5}`, `bob,md5,${goodHashes.md5}`);
  expect((await runAgain('--only', 'failed')).exitCode).toBe(0);
  const { changes } = JSON.parse((await run('log', '--json')).stdout);
  expect(changes).toMatchObject([
    { changed: 1, rows: { created: 2 } },
    { changed: 0, rows: { created: 1, invalid: 1 } },
    { changed: 1, rows: { created: 1, invalid: 1 } },
  ]);
  const last = changes[0].time;
  expect(await runsOf('bob')).toEqual({ times: [last, first], unsearched_runs: 0 });
});

test('a run has not changed a user whom it finds disabled by somebody else', async () => {
  const { client, directory, run } = await startWorld();
  const at = (name: string) => join(directory, name);
  const fields = '{ user_name: { column: login }, email: { column: email } }';
  const disable = '{ where: { column: state, in: [L], known: [A] } }';
  await writeFile(at('recipe.yaml'), `fields: ${fields}\ndisable: ${disable}\n`);
  const runWith = async (state: string, ...more: string[]) => {
    const rows = `ann,ann@example.com,${state}\nbob,bob@example.com,A\ncid,bad,A\n`;
    await writeFile(at('users.csv'), `login,email,state\n${rows}`);
    const words = ['--recipe', at('recipe.yaml'), '--job', at('job'), '--allow-passwordless'];
    return run('import-hashes', at('users.csv'), ...words, ...more);
  };
  expect(await runWith('A')).toMatchObject({ exitCode: 7 });
  await client.disableUser((await client.getUserByUserName('ann')).user_id);
  expect(await runWith('L', '--only', 'failed')).toMatchObject({ exitCode: 7 });
  expect(JSON.parse((await run('log', '--json')).stdout).changes).toMatchObject([
    { changed: 0, rows: { created: 2, invalid: 1 } },
    { changed: 2, rows: { created: 2, invalid: 1 } },
  ]);
});

test('a run of a version that did not log whom the run itself changed has the number of its whole job', async () => {
  const { run, client, runsOf, first, log } = await imported();
  const older = (await readFile(log, 'utf8')).replace('"changed":1,', '').replace(',"changed":1', '');
  expect(older).not.toContain('changed');
  await writeFile(log, older);
  const { changes } = JSON.parse((await run('log', '--json')).stdout);
  expect(changes).toMatchObject([{ changed: 1, rows: { created: 1, invalid: 1 } }]);
  expect((await runsOf('ann')).times).toEqual([first]);
  await writeFile(log, older.replace('"created":1', '"existing":1'));
  await client.createUser({ user_name: 'cid' });
  expect(await runsOf('ann')).toEqual({ times: [], unsearched_runs: 0 });
});
