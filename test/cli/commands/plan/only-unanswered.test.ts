import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJob } from '../../../../src/migration/journal/reading/open-job.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { startWorld } from '../../../world.ts';

/**
 * A world with a plan that was applied and killed: it created bob, the creation of cyd has no answer, and dan, who is in the tenant,
 * was not sent.
 */
async function killed() {
  const world = await startWorld();
  const [file, plan, to] = ['legacy.csv', 'plan', 'undo'].map((name) => join(world.directory, name)) as [
    string,
    string,
    string,
  ];
  const rows = ['bob', 'cyd', 'dan'].map((name) => `${name},false,md5,${goodHashes.md5}\n`);
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\n${rows.join('')}`);
  expect(await world.run('plan', file, '--to', plan)).toMatchObject({ exitCode: 0 });
  expect(await world.run('apply', plan, '--yes')).toMatchObject({ exitCode: 0 });
  await forgetOutcomes(plan, 1);
  const { connection } = await openJob(plan);
  connection.exec(
    "DELETE FROM exact_intents WHERE row = 3; UPDATE job SET value = '2' WHERE name = 'may_be_sent'",
  );
  connection.close();
  const disabled = async () => {
    const { users } = await world.client.listUsers({ offset: 0, limit: 100 });
    return users.flatMap(({ user_name: name, disabled: is }) => (is ? [name] : [])).sort();
  };
  return { world, file, plan, to, disabled };
}

test('a plan that was killed and undone can still be asked for the users whose creation had no answer', async () => {
  const { world, file, plan, to, disabled } = await killed();
  const first = await world.run('undo', plan, '--to', to, '--yes');
  expect(first.exitCode).toBe(7);
  expect(first.stderr).toContain(
    'To find these users, run the import, or apply of the plan, with --only unanswered, which sends nothing; then undo the job again. Look up those without an identifier by hand.',
  );
  expect(await disabled()).toEqual(['bob']);

  const refused = await world.run('apply', plan, '--yes');
  expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
  expect(refused.stderr).toMatch(/plan: its users were disabled by an undo at .*\n.*--only unanswered/);
  expect(refused.stderr).not.toContain('What is written stays');
  const since = await world.run('plan', file, '--since', plan, '--to', `${plan}2`);
  expect(since).toMatchObject({ exitCode: 3, stdout: '' });
  expect(since.stderr).not.toContain('tenant-users apply');

  const asked = await world.run('apply', plan, '--only', 'unanswered');
  expect(asked.exitCode).toBe(7);
  expect(asked.stderr).toContain('Only looks up the rows that may have been sent; nothing is written.');
  expect(asked.stderr).toContain(`\n  tenant-users undo ${plan} --to DIRECTORY\n`);
  expect(asked.stderr).not.toMatch(/What is written stays|Rerun the same command/);
  expect(asked.stdout).toMatch(/│ 3 +│ 2 +│/);
  expect(await disabled()).toEqual(['bob']);

  expect(await world.run('undo', plan, '--to', `${to}2`, '--yes')).toMatchObject({ exitCode: 0 });
  expect(await disabled()).toEqual(['bob', 'cyd']);
});

test('apply --only unanswered needs no consent, and a plan that was not applied has nothing to look up', async () => {
  const { world, file, plan } = await killed();
  const asked = await world.run('apply', plan, '--only', 'unanswered', '--json');
  expect(asked).toMatchObject({ exitCode: 7, stderr: '' });
  expect(JSON.parse(asked.stdout)).toMatchObject({ created: 2, found_by_look_up: 1, pending: 1 });
  const other = `${plan}-other`;
  await world.run('plan', file, '--to', other);
  const early = await world.run('apply', other, '--only', 'unanswered');
  expect(early).toMatchObject({ exitCode: 3, stdout: '' });
  expect(early.stderr).toMatch(/other: the plan was not applied, so no row can be without an answer\n/);
});

test('apply of an undo ends as the undo does if rows of the job have no answer', async () => {
  const { world, plan, to, disabled } = await killed();
  expect(await world.run('undo', plan, '--to', to, '--dry-run')).toMatchObject({ exitCode: 7 });
  expect(await world.run('apply', to, '--yes')).toMatchObject({ exitCode: 7 });
  expect(await disabled()).toEqual(['bob']);
});

test('after a run that only asks, the next command is that of the run before, which required a signature', async () => {
  const { world, plan } = await killed();
  const { connection } = await openJob(plan);
  const signed = { words: ['apply', plan, '--require-signature', 'ap.pub'], consent: ['--yes'] };
  const rest = { rehearsal: [], connection: [] };
  connection
    .prepare("UPDATE job SET value = ? WHERE name = 'command'")
    .run(JSON.stringify({ ...signed, ...rest }));
  connection.close();
  for (const words of [
    ['apply', plan, '--only', 'unanswered'],
    ['import-hashes', 'status', plan],
  ]) {
    const { stderr } = await world.run(...words);
    expect(stderr).toContain(
      'Rerun the same command without --only unanswered to go on with the 1 action left. Nothing is done twice.\n',
    );
    expect(stderr).toContain(`tenant-users apply ${plan} --require-signature ap.pub`);
  }
});
