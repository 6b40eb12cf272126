import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const { bcrypt } = goodHashes;

test('the apostrophes that Auth0 writes before each text of a CSV export do not become part of anybody', async () => {
  const cells = ["'auth0|5d", '', "'ann@b.cn", "'Ann", "''t Hooft", "'+8613800138000", 'false'];
  const row = [...cells.map((cell) => `"${cell}"`), 'true', bcrypt].join(',');
  const header =
    'user_id,username,email,given_name,family_name,phone_number,blocked,email_verified,password_hash';
  const { sent, failures } = await runImport(`${header}\n${row}\n`);
  expect(failures).toEqual([]);
  expect(sent).toMatchObject([
    {
      user_name: 'ann@b.cn',
      email: 'ann@b.cn',
      first_name: 'Ann',
      last_name: "'t Hooft",
      mobile: '+86-13800138000',
      external_id: 'auth0|5d',
    },
  ]);
});

test('a name that begins with an apostrophe keeps it in an export as JSON', async () => {
  const user = { user_id: 'auth0|5d', email: 'ann@b.cn', family_name: "'t Hooft", given_name: 'Ann' };
  const { sent } = await runImport(JSON.stringify([{ ...user, email_verified: true, passwordHash: bcrypt }]));
  expect(sent).toMatchObject([{ last_name: "'t Hooft", first_name: 'Ann' }]);
});

test('an export that does not say who is blocked is imported with a warning that every user is enabled', async () => {
  const { directory, run } = await startWorld();
  const file = join(directory, 'hashes.ndjson');
  const ann = { _id: { $oid: '5dea' }, email: 'ann@b.cn', email_verified: true, passwordHash: bcrypt };
  await writeFile(file, JSON.stringify(ann));
  const warning =
    'The recipe finds people who may not log in by blocked, which no record of the file has: every user is created enabled. If the export left it out, people who were disabled in the old system would come back enabled: export it too.';
  const job = join(directory, 'job');
  const dry = await run('import-hashes', file, '--dry-run', '--job', job);
  expect(dry).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Warning: ${warning}\n`) });
  expect(await readFile(join(job, 'report.html'), 'utf8')).toContain(warning);
  const { stdout } = await run('import-hashes', file, '--dry-run', '--job', job, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ missing_status: ['blocked'] });
  expect(JSON.parse((await run('assess', file, '--json')).stdout).notices).toContain(warning);
  expect(await run('plan', file, '--to', join(directory, 'plan'))).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(directory, 'plan', 'plan.html'), 'utf8')).toContain(warning);
  await writeFile(file, [ann, { ...ann, blocked: true }].map((one) => JSON.stringify(one)).join('\n'));
  const whole = await run('import-hashes', file, '--dry-run', '--job', job);
  expect(whole.stderr).not.toContain('may not log in');
});
