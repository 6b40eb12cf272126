import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

const recipe = `fields: { user_name: { column: login }, email: { column: email } }
skip: { where: { column: status, in: [L], known: [A] } }
`;

/** A tenant with the users of these rows of a file, whose recipe leaves out those who left. */
async function imported(...rows: string[]) {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (...lines: string[]) =>
    writeFile(within('f.csv'), ['login,email,status', ...lines, ''].join('\n'));
  await writeFile(within('r.yaml'), recipe);
  await write(...rows);
  const words = [within('f.csv'), '--recipe', within('r.yaml'), '--allow-passwordless'];
  const send = (...more: string[]) => world.run('import-hashes', ...words, '--job', within('job'), ...more);
  await send();
  async function plan(to: string, since = 'job') {
    await world.run('plan', ...words, '--since', within(since), '--to', within(to));
    return JSON.parse(await readFile(join(within(to), 'plan.json'), 'utf8')).reasons;
  }
  return { world, within, write, send, plan };
}

test('newcomers beside a leaver whom the recipe leaves out are created by a delta, and by a corrected file', async () => {
  const { world, within, write, send, plan } = await imported('ann,,A', 'bob,,A', 'cid,no,A');
  const rows = ['ann,,A', 'dan,,A', 'eve,,A', 'bob,,L', 'cid,,A', 'fay,,A', 'gus,,A'];
  await write(...rows);
  expect(await plan('tuesday')).toEqual({ UNCHANGED: 1, NOBODY: 5, VANISHED: 1 });
  const corrected = await send('--only', 'failed', '--json');
  expect(JSON.parse(corrected.stdout)).toMatchObject({
    rows: 7,
    created: 7,
    skipped: 0,
    codes: { LEFT_OUT: 1 },
  });
  await write(...rows, 'hal,,A');
  expect(await plan('wednesday')).toEqual({ UNCHANGED: 6, NOBODY: 1, VANISHED: 1 });
  await world.run('apply', within('wednesday'), '--yes');
  expect(await plan('thursday', 'wednesday')).toEqual({ UNCHANGED: 7, VANISHED: 1 });
});

test.each([
  ['before', ['ann,,L', 'ann,,A', 'bob,,A', 'cid,,A', 'dan,,A']],
  ['after', ['ann,,A', 'ann,,L', 'bob,,A', 'cid,,A', 'dan,,A']],
])('a person whom another row leaves out %s the one that counts is the same person', async (_, rows) => {
  const { write, send, plan } = await imported('ann,,A', 'eve,,A', 'bob,,A', 'cid,no,A');
  await write(...rows);
  expect(await plan('plan')).toEqual({ UNCHANGED: 2, NOBODY: 2, VANISHED: 1 });
  const corrected = await send('--only', 'failed', '--json');
  expect(JSON.parse(corrected.stdout)).toMatchObject({ rows: 5, created: 4, skipped: 1, without_row: 1 });
});

test('a renamed user beside somebody whom the recipe leaves out is not created a second time', async () => {
  const { write, send, plan } = await imported('ann,,A', 'bob,,A', 'cid,no,A');
  await write('anna,,A', 'bob,,L', 'cid,,A');
  expect(await plan('plan')).toEqual({ KEY_CHANGED: 1, NOBODY: 1, PERHAPS_VANISHED: 2 });
  expect(await send('--only', 'failed')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('1 row of the corrected file (row 1)'),
  });
});

test('of two people with one external ID, the recipe leaves out one, and the other row is still that of the other', async () => {
  const { world, within, write, send } = await imported();
  await writeFile(within('r.yaml'), recipe.replace('user_name', 'external_id').replace('email', 'name'));
  const more = ['--accept', 'DUPLICATE_EXTERNAL_ID'];
  await write('x1,Ann,A', 'x1,Bob,A');
  expect(await send(...more)).toMatchObject({ exitCode: 0 });
  await write('x1,Ann,L', 'x1,Bob,A', 'x2,Zed,A');
  const corrected = await send(...more, '--only', 'failed');
  expect(corrected.stderr).not.toContain('KEY_CHANGED');
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(3);
});
