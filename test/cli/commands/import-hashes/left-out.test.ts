import { writeFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startRecordedJob } from './recorded-job.ts';

const recipe = `
fields: { user_name: { column: name }, external_id: { column: id }, pwd_must_modify: { value: false } }
password: { column: hash, algorithm: { value: md5 } }
skip: { where: { column: status, in: [L] } }
`;

/** Starts a tenant, and a job that imports people: name, status and ID. */
async function startJob() {
  const job = await startRecordedJob();
  const importing = (people: readonly string[], ...args: string[]) => {
    const rows = people.map((person) => `${person.split(' ').join(',')},${goodHashes.md5}\n`);
    return job.importFile(`name,status,id,hash\n${rows.join('')}`, recipe, ...args);
  };
  return { ...job, importing };
}

const corrected = ['--only', 'failed'];

test('a user of the job whom the corrected file leaves out is named as LEFT_OUT, and disabled by the ID in failures.csv', async () => {
  const { importing, disabled, within, run } = await startJob();
  expect(await importing(['ann A 1', 'bob A 2', 'cid A 3', 'dan L 4'])).toMatchObject({
    exitCode: 0,
    summary: { created: 3, skipped: 1 },
  });
  const later = ['ann L 1', 'bob A 2', 'dan L 4'];
  const ended = await importing(later, ...corrected);
  const left = { created: 2, skipped: 1, codes: { LEFT_OUT: 1 }, without_row: 1 };
  expect(ended).toMatchObject({ exitCode: 7, summary: left });
  const warning =
    'Warning: 1 user of this job is left out by the recipe now (skip:), and can still log in: an import disables only users whom it creates.';
  // Before anything is sent, and at the end.
  expect(ended.stderr.split(warning)).toHaveLength(3);
  expect(ended.failures).toMatch(/\n1,2,ann,1,LEFT_OUT,/);
  expect(ended.users).toMatch(/\n1,ann,1,\S+,created,,\n/);
  expect(ended.stderr).toContain(
    '\nNext: Disable the user: write the user_id of each row with LEFT_OUT in failures.csv into a file, a line each, for tenant-users disable --from FILE.\n',
  );
  const listed: { code: string; user_id: string }[] = parse(ended.failures, { columns: true });
  const ids = listed.filter(({ code }) => code === 'LEFT_OUT').map(({ user_id }) => user_id);
  expect(await disabled()).toEqual([]);
  // As long as nobody has disabled them, this says so again.
  expect(await importing(later, ...corrected)).toMatchObject({ exitCode: 7, summary: left });
  expect(await importing([...later, 'eve A 5'], ...corrected)).toMatchObject({
    exitCode: 7,
    summary: { ...left, created: 3 },
  });
  const again = [...later, 'eve A 5'];
  await writeFile(within('ids.txt'), ids.join('\n'));
  expect(await run('disable', '--from', within('ids.txt'), '--yes')).toMatchObject({ exitCode: 0 });
  expect(await disabled()).toEqual(['ann']);
  for (const rows of [again, [...again].reverse()]) {
    const done = await importing(rows, ...corrected);
    expect(done.summary).toMatchObject({ created: 3, skipped: 1, codes: {}, without_row: 1 });
    expect(done.users).toMatch(/\n\d,ann,1,\S+,created,,true\n/);
  }
  expect(await disabled()).toEqual(['ann']);
});

test('nobody is LEFT_OUT who has another row, or another external ID, or was there before', async () => {
  const { importing, client } = await startJob();
  await client.importHashedUser({ user_name: 'old' });
  await importing(['ann A 1', 'bob A 2', 'old A ']);
  // Ann has left and come back, and another Bob has left.
  const rows = ['ann L 1', 'bob L 7', 'old L ', 'ann A 1', 'bob A 2', 'cid A 3'];
  const ended = await importing(rows, ...corrected);
  expect(ended.summary).toMatchObject({ created: 3, skipped: 3, codes: {}, without_row: 1 });
  const gone = await importing(['bob L 7', 'old L ', 'ann A 1', 'cid A 3'], ...corrected);
  expect(gone).toMatchObject({ exitCode: 7, summary: { created: 2, skipped: 2, codes: {}, without_row: 2 } });
});

test('a user who was LEFT_OUT is taken back if the file has the row again, and is undone with the job', async () => {
  const { importing, run, within, disabled } = await startJob();
  await importing(['ann A 1', 'bob A 2']);
  await importing(['ann L 1', 'bob L 2'], ...corrected);
  const back = await importing(['ann A 1', 'bob L 2'], ...corrected);
  expect(back).toMatchObject({ exitCode: 7, summary: { created: 2, skipped: 0, codes: { LEFT_OUT: 1 } } });
  expect(await run('undo', within('job'), '--yes', '--to', within('undo'))).toMatchObject({ exitCode: 0 });
  expect((await disabled()).sort()).toEqual(['ann', 'bob']);
});
