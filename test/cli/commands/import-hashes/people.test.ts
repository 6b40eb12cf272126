import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startWorld, type TestWorld } from '../../../world.ts';

const hash = createHash('md5').update('Old secret 1').digest('hex');
const sha = createHash('sha256').update(createHash('md5').update('Old secret 2').digest('hex')).digest('hex');
const byDefault = 'by the default of the API. To let them keep it, add --set pwd_must_modify=false.';
const tooLate = 'by the default of the API. This cannot be changed after the import.';

interface Legacy {
  header?: string;
  lines?: string[];
  canaries?: string;
}

async function importing(
  world: TestWorld,
  { header = 'user_name,algorithm,hash', lines = [`ann,md5,${hash}`], canaries }: Legacy,
  ...args: string[]
) {
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, `${[header, ...lines].join('\n')}\n`);
  const job = join(world.directory, 'job');
  const list = join(world.directory, 'known.csv');
  if (canaries !== undefined) await writeFile(list, canaries);
  const canary = canaries === undefined ? [] : ['--canary', list];
  const ended = await world.run('import-hashes', file, '--job', job, ...canary, ...args);
  const report = await readFile(join(job, 'report.html'), 'utf8');
  const summary = JSON.parse(await readFile(join(job, 'summary.json'), 'utf8'));
  return { ...ended, report, summary };
}

test.each([
  ['an import', [], tooLate],
  ['a dry run', ['--dry-run'], byDefault],
  ['a rehearsal', ['--rehearse'], byDefault],
])(
  '%s: the output says who must change the password if nothing in the file decides it',
  async (_, args, after) => {
    const lines = [`ann,md5,${hash}`, `bob,md5,${hash}`, 'cid,md5,nonsense'];
    const { stderr, report, summary } = await importing(await startWorld(), { lines }, ...args);
    const who = '2 users must change the password at the first login';
    const said = `${who} ${after}`;
    // With --yes, what can no longer be chosen is not offered before the first row either.
    expect(new Set(stderr.match(/2 users must .*/g))).toEqual(new Set([said]));
    expect(report).toContain(said);
    expect(summary).toMatchObject({ must_change_password: 2, must_change_by_default: 2 });
  },
);

test.each([
  ['nobody', ['ann'], undefined],
  ['only one of them', ['ann', 'bob'], 'At most 1 user must change the password at the first login'],
])('after an import that created %s, only created users must change the password', async (_, names, who) => {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'ann' });
  const lines = names.map((name) => `${name},md5,${hash}`);
  const { stderr, report } = await importing(world, { lines });
  for (const text of [stderr.slice(stderr.indexOf('\nTook ')), report]) {
    if (who) expect(text).toContain(`${who} ${tooLate}`);
    else expect(text).not.toContain(tooLate);
  }
});

test('after an import, no more users than it created are said to have no password', async () => {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'ann', name: 'Other' });
  const lines = ['ann,Ann', 'bob,Bob', 'cid,Cid'];
  const { stderr } = await importing(world, { header: 'user_name,name', lines }, '--allow-passwordless');
  expect(stderr.slice(stderr.indexOf('\nTook '))).toContain('At most 2 users will have no password');
});

test('advice that no longer helps is neither in the report of an import nor printed with --yes', async () => {
  const world = await startWorld();
  const legacy = { header: 'external_id,algorithm,hash', lines: [`1,md5,${hash}`] };
  const advice = 'leave these rows out';
  expect((await importing(world, legacy, '--dry-run')).report).toContain(advice);
  const { report, stderr } = await importing(world, legacy);
  expect(report).toContain('a user name that nobody knows, so they cannot log in.');
  expect(report + stderr).not.toContain(advice);
});

test('an algorithm that only rejected rows have is not named as not verified', async () => {
  const lines = [`ann,md5,${hash}`, 'bob,bcrypt,nonsense'];
  for (const args of [['--dry-run'], []]) {
    const { stderr, report, summary } = await importing(await startWorld(), { lines }, ...args);
    expect(stderr).toContain('Not verified: md5. No known password');
    expect(report).toContain('Not verified: md5. No known password');
    expect(summary).toMatchObject({ not_verified: ['md5'], by_algorithm: { bcrypt: { failed: 1 } } });
  }
});

test('the output says so before the first row is sent', async () => {
  const { stderr } = await importing(await startWorld(), {});
  expect(stderr.indexOf('must change the password')).toBeLessThan(stderr.indexOf('1 row: 1 created'));
  expect(stderr.match(/must change the password/g)).toHaveLength(2);
});

test('the output distinguishes what the file, --set and the default decide', async () => {
  const world = await startWorld();
  const header = 'user_name,algorithm,hash,pwd_must_modify';
  const lines = [`ann,md5,${hash},true`, `bob,md5,${hash},false`, `cid,md5,${hash},`];
  const mixed = await importing(world, { header, lines }, '--dry-run');
  expect(mixed.stderr).toContain(
    `2 users must change the password at the first login, 1 of them ${byDefault.replace('them', 'this one')}`,
  );
  expect(mixed.summary).toMatchObject({ must_change_password: 2, must_change_by_default: 1 });
  const set = await importing(world, { header, lines }, '--dry-run', '--set', 'pwd_must_modify=false');
  expect(set.stderr).toContain(
    '1 user must change the password at the first login, as pwd_must_modify says.',
  );
  const none = await importing(world, {}, '--dry-run', '--set', 'pwd_must_modify=false');
  expect(none.stderr).not.toContain('must change');
  expect(none.summary).toMatchObject({ must_change_password: 0, must_change_by_default: 0 });
});

test('ignored columns are named, one that by its name is a status as a warning, and those that may be one by their values', async () => {
  const header = 'user_name,algorithm,hash,nr,is_active,状态';
  const lines = ['D', 'D', 'E'].map((state, at) => `u${at},md5,${hash},${at},0,${state}`);
  const options = ['--ignore-unknown', '--dry-run'];
  const { stderr, report, summary } = await importing(await startWorld(), { header, lines }, ...options);
  const named =
    'Columns ignored: nr, is_active, 状态.\n状态 has values that may say who may not log in, and the import ignores it: people who were disabled';
  expect(stderr).toContain(named);
  const warning =
    'is_active looks like a status, and the import ignores it: people who were disabled by it in the old system would come back enabled.';
  expect(stderr).toContain(`Warning: ${warning}`);
  expect(report).toContain(warning);
  expect(summary).toMatchObject({ ignored_columns: ['nr', 'is_active', '状态'], status_columns: ['状态'] });
  const json = await importing(await startWorld(), { header, lines }, ...options, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ status_columns: ['状态'] });
});

const both = [`ann,md5,${hash}`, `bob,md5_sha256,${sha}`];

test('a dry run names the algorithms that are verified, and those that are not', async () => {
  const world = await startWorld();
  const canaries = 'ann,Old secret 1\n';
  const { stderr, summary } = await importing(world, { lines: both, canaries }, '--dry-run');
  expect(stderr).toContain('Verified with known passwords: md5 (1).\n');
  expect(stderr).toContain('Warning: Not verified: md5_sha256. No known password was tried (--canary)');
  expect(summary.by_algorithm).toEqual({
    md5: { created: 0, failed: 0, canaries: 1 },
    md5_sha256: { created: 0, failed: 0, canaries: 0 },
  });
});

test('an import without canaries says before the first row that nothing is verified', async () => {
  const { stderr } = await importing(await startWorld(), { lines: both });
  expect(stderr).toContain('Warning: Not verified: md5 and md5_sha256.');
});

test('the verified algorithms belong to the job: --only failed keeps them and adds to them', async () => {
  const world = await startWorld();
  const wrong = [...both, 'cid,md5,nonsense'];
  const canaries = 'ann,Old secret 1\n';
  const first = await importing(world, { lines: wrong, canaries });
  expect(first.exitCode).toBe(7);
  const fixed = [...both, `cid,md5,${hash}`];
  const second = await importing(world, { lines: fixed }, '--only', 'failed');
  expect(second).toMatchObject({ exitCode: 0, summary: { by_algorithm: { md5: { canaries: 1 } } } });
  expect(second.stderr).toContain('Verified with known passwords: md5 (1).\n');
  expect(second.report).toContain('Not verified: md5_sha256.');
  expect(second.report).not.toContain('Not verified: md5 ');
  const third = await importing(world, { lines: fixed, canaries: 'bob,Old secret 2\n' });
  expect(third.summary.by_algorithm).toMatchObject({ md5: { canaries: 1 }, md5_sha256: { canaries: 1 } });
});

test('merged shards count people and columns together', async () => {
  const world = await startWorld();
  const header = 'user_name,algorithm,hash,status';
  const lines = ['ann', 'bob', 'cid'].map((name) => `${name},md5,${hash},D`);
  const jobs = ['1', '2'].map((shard) => join(world.directory, `shard${shard}`));
  for (const [index, job] of jobs.entries()) {
    const options = ['--ignore-unknown', '--shard', `${index + 1}/2`, '--job', job];
    const file = join(world.directory, 'legacy.csv');
    await writeFile(file, `${[header, ...lines].join('\n')}\n`);
    expect(await world.run('import-hashes', file, ...options)).toMatchObject({ exitCode: 0 });
  }
  const whole = join(world.directory, 'whole');
  const { stdout } = await world.run('import-hashes', 'merge', ...jobs, '--job', whole, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    must_change_password: 3,
    must_change_by_default: 3,
    ignored_columns: ['status'],
  });
});

test('the output says that existing users keep their password, and counts created and existing users separately', async () => {
  const world = await startWorld();
  await importing(world, {});
  const lines = [`ann,md5,${hash.replace(/^./, 'f')}`, `bob,md5,${hash}`];
  const { exitCode, stderr } = await importing(world, { lines }, '--restart');
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    '1 user was already there and keeps the password stored then: the hash of the row was not sent again\n',
  );
  const summary = JSON.parse(await readFile(join(world.directory, 'job', 'summary.json'), 'utf8'));
  expect(summary).toMatchObject({ existing: 1, hashes_not_sent: 1, not_verified: ['md5'] });
  const users: object[] = parse(await readFile(join(world.directory, 'job', 'users.csv')), { columns: true });
  expect(users).toMatchObject([
    { user_name: 'ann', result: 'existing' },
    { user_name: 'bob', result: 'created' },
  ]);
});

test('users without a name to log in with are counted before they are created', async () => {
  const header = 'user_name,email,mobile,external_id,algorithm,hash';
  const lines = [
    `,,,E1,md5,${hash}`,
    `,,,E2,md5,${hash}`,
    `ann,,,E3,md5,${hash}`,
    `,bob@example.com,,,md5,${hash}`,
  ];
  const { stderr, report, summary } = await importing(await startWorld(), { header, lines });
  const said = '2 users have no user name, mobile number or e-mail address.';
  expect(stderr.indexOf(`Warning: ${said}`)).toBeGreaterThan(-1);
  expect(stderr.indexOf(said)).toBeLessThan(stderr.indexOf('4 rows: 4 created'));
  expect(report).toContain(said);
  expect(summary).toMatchObject({ without_login_name: 2, created: 4 });
});

test('a user with the address of somebody whom the recipe leaves out is named by the row, before and after', async () => {
  const world = await startWorld();
  const recipe = join(world.directory, 'r.yaml');
  await writeFile(
    recipe,
    'fields: { user_name: { column: login }, email: { column: mail } }\npassword: { column: hash, algorithm: { value: md5 } }\nskip: { where: { column: state, in: [blocked] } }\n',
  );
  const lines = ['1,ann', '2,bob', '3,ann', '4,BOB', '5,cid'].map(
    (one, at) => `${one}@x.cn,${at < 2 ? 'blocked' : ''},${hash}`,
  );
  const legacy = { header: 'login,mail,state,hash', lines };
  const { stderr, report, summary } = await importing(world, legacy, '--recipe', recipe);
  const said = `2 users have an identifier of somebody whom the recipe leaves out (skip:), such as the same e-mail address: rows 3 and 4. If both are one person who may not log in, `;
  expect(stderr.split(`Warning: ${said}`)).toHaveLength(3);
  expect(report).toContain(`${said}disable these users.`);
  expect(summary).toMatchObject({ created: 3, shared_with_skipped: { users: 2, rows: [3, 4] } });
  for (const [shard, row] of [
    ['1/2', 3],
    ['2/2', 4],
  ] as const) {
    const part = ['--recipe', recipe, '--dry-run', '--shard', shard];
    const found = await importing(await startWorld(), legacy, ...part);
    expect(found.summary).toMatchObject({ shared_with_skipped: { users: 1, rows: [row] } });
  }
});
