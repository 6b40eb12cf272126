import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

/** Compares these rows with a tenant of ann, bob, cid and dan. */
async function compareRows(...rows: string[]) {
  const world = await startWorld();
  for (const name of ['ann', 'bob', 'cid', 'dan']) {
    await world.client.createUser({
      user_name: name,
      email: `${name}@example.com`,
      external_id: `x-${name}`,
    });
  }
  const [file, to] = [join(world.directory, 'staff.csv'), join(world.directory, 'lists')];
  await writeFile(file, `user_name,email,external_id,name\n${rows.map((row) => `${row}\n`).join('')}`);
  const ended = await world.run('compare', file, '--to', to);
  const extra: { user_name: string }[] = parse(await readFile(join(to, 'extra.csv'), 'utf8'), {
    columns: true,
  });
  const summary = JSON.parse(await readFile(join(to, 'summary.json'), 'utf8'));
  const report = await readFile(join(to, 'report.html'), 'utf8');
  return { ...ended, summary, extra: extra.map(({ user_name: name }) => name), report };
}

const unsure = 'extra.csv may have their users';

test('the user of a row that fails the checks is not extra: nobody in the file is disabled by that list', async () => {
  const rows = ['ann,,, Ann', ',bob@example.com,, Bob', '"c\u0007",,x-cid,Cid'];
  const { exitCode, stderr, summary, extra, report } = await compareRows(...rows);
  expect({ exitCode, extra }).toEqual({ exitCode: 7, extra: ['dan'] });
  expect(summary).toMatchObject({ rows: 3, invalid: 3, extra: 1, unrecognised: 0 });
  expect(stderr + report).not.toContain(unsure);
});

test('empty lines and repeated headers are about nobody, and do not make extra.csv unsure', async () => {
  const { exitCode, stderr, summary, extra, report } = await compareRows(
    'ann,ann@example.com,x-ann,',
    ',,,',
    'user_name,email,external_id,name',
  );
  expect({ exitCode, extra }).toEqual({ exitCode: 7, extra: ['bob', 'cid', 'dan'] });
  expect(summary).toMatchObject({ same: 1, invalid: 2, unrecognised: 0 });
  expect(stderr + report).not.toContain(unsure);
});

test('while a row that fails the checks may be about anybody, extra.csv is said to be unsure', async () => {
  const { exitCode, stderr, summary, extra, report } = await compareRows(
    'ann,,,',
    '" bob",,,',
    'too,many,cells,x,y',
  );
  expect({ exitCode, extra }).toEqual({ exitCode: 7, extra: ['bob', 'cid', 'dan'] });
  expect(summary).toMatchObject({ same: 1, invalid: 2, unrecognised: 2 });
  expect(stderr).toContain(`Warning: no user was found by 2 rows of these: ${unsure}. Correct the file`);
  expect(report).toContain(`No user was found by 2 rows that failed the checks: ${unsure}.`);
});
