import { createHash, createHmac } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startWorld, type TestWorld } from '../../../world.ts';

const hex = (algorithm: string, text: string | Buffer) => createHash(algorithm).update(text).digest('hex');
const rows = [
  `ann,md5,${hex('md5', 'Old secret 1')}`,
  `bob,md5_sha256,${hex('sha256', hex('md5', 'Old, secret 2'))}`,
  `cid,md5,${hex('md5', 'Old secret 3')}`,
];

/** Imports these rows with a list of canaries; also returns the number of users of the tenant afterwards. */
async function importing(world: TestWorld, lines: string[], canaries: string, ...args: string[]) {
  const file = join(world.directory, 'legacy.csv');
  const list = join(world.directory, 'known.csv');
  await writeFile(file, `user_name,algorithm,hash\n${lines.join('\n')}\n`);
  await writeFile(list, canaries);
  const job = join(world.directory, 'job');
  const ended = await world.run('import-hashes', file, '--job', job, '--canary', list, ...args);
  return { ...ended, job, total: (await world.client.listUsers({ offset: 0, limit: 10 })).total };
}

const known = 'ann,Old secret 1\nbob,"Old, secret 2"\n';

test('canaries that match their hashes are counted by algorithm, and the import continues', async () => {
  const { exitCode, stdout, total } = await importing(await startWorld(), rows, known, '--json');
  expect({ exitCode, total }).toEqual({ exitCode: 0, total: 3 });
  expect(JSON.parse(stdout).by_algorithm).toEqual({
    md5: { created: 2, failed: 0, canaries: 1 },
    md5_sha256: { created: 1, failed: 0, canaries: 1 },
  });
});

test('a canary that does not match stops the run before anything is sent, and the known mistake is named', async () => {
  const doubled = [`ann,md5,${hex('md5', 'Old secret 1\n')}`, ...rows.slice(1)];
  const world = await startWorld();
  const { exitCode, stdout, stderr, total, job } = await importing(world, doubled, known);
  expect({ exitCode, stdout, total }).toEqual({ exitCode: 8, stdout: '', total: 0 });
  expect(stderr).toContain('nothing was sent: md5: 1 of 1 passwords do not match their hashes');
  expect(stderr).toContain('a line feed after the password was hashed with it');
  expect(stderr).not.toContain('Old secret');
  await expect(readdir(job)).rejects.toThrow('ENOENT');
});

test.each([
  'ann,Old secret 1\r\nbob,"Old, secret 2"\n',
  'ann,Old secret 1\nbob,"Old, secret 2"\r\n',
  'ann,Old secret 1\r\nbob,"Old, secret 2"\ncid,Old secret 3\r\n',
  'ann,Old secret 1\rbob,"Old, secret 2"\r',
])('a list of canaries may have any line ends, also mixed (%j)', async (canaries) => {
  const { exitCode, total } = await importing(await startWorld(), rows, canaries);
  expect({ exitCode, total }).toEqual({ exitCode: 0, total: 3 });
});

test('a canary whose row the recipe leaves out is refused with this reason', async () => {
  const world = await startWorld();
  const recipe = join(world.directory, 'recipe.yaml');
  await writeFile(
    recipe,
    `fields: { user_name: { column: user_name } }
password: { column: hash, algorithm: { column: algorithm } }
skip: { where: { column: user_name, in: [ann] } }
`,
  );
  const { exitCode, stderr, total } = await importing(world, rows, known, '--recipe', recipe);
  expect({ exitCode, total }).toEqual({ exitCode: 2, total: 0 });
  expect(stderr).toContain('known.csv, line 1: row 1 of this user cannot be sent: the recipe leaves it out');
});

test('a canary whose row cannot be sent is refused with the column and what to do', async () => {
  const world = await startWorld();
  const spoilt = rows.map((row) => row.replace('md5,', 'MD7,'));
  const { exitCode, stderr, total } = await importing(world, spoilt, known);
  expect({ exitCode, total }).toEqual({ exitCode: 2, total: 0 });
  expect(stderr).toMatch(/cannot be sent: algorithm: the algorithm is not .*\nUse md5, bcrypt/);
});

test('a canary whose row is sent without its hash is refused, and does not say that it has none', async () => {
  const foreign = rows.map((row) => row.replace(/md5,\w+/, `phpass,$P$B${'a'.repeat(30)}`));
  const options = ['--foreign-hashes', 'passwordless'];
  const { exitCode, stderr, total } = await importing(await startWorld(), foreign, known, ...options);
  expect({ exitCode, total }).toEqual({ exitCode: 2, total: 0 });
  expect(stderr).toMatch(
    /known\.csv, line 1: row 1 of this user is sent without a hash, .*\nLeave this line out, or name a user/,
  );
});

test('users with another HMAC key than that of the canary are not called verified', async () => {
  const hmac = (key: string, password: string) =>
    createHmac('sha256', Buffer.from(key, 'base64')).update(password).digest('base64');
  const [good, other] = [Buffer.alloc(32, 'a').toString('base64'), Buffer.alloc(32, 'b').toString('base64')];
  const lines = [
    `user_name,algorithm,hash,key`,
    `ann,hmacsha256_base64_key,${hmac(good, 'one')},${good}`,
    `bob,hmacsha256_base64_key,${hmac(other, 'two')},${other}`,
    `cid,hmacsha256_base64_key,${hmac(other, 'three')},${other}`,
  ];
  const world = await startWorld();
  const [file, list] = [join(world.directory, 'keyed.csv'), join(world.directory, 'known.csv')];
  await writeFile(file, `${lines.join('\n')}\n`);
  await writeFile(list, 'ann,one\n');
  const said = 'Not verified: 2 rows have another HMAC key than the verified ones.';
  const check = ['import-hashes', file, '--dry-run', '--canary', list, '--job', join(world.directory, 'dry')];
  expect((await world.run(...check)).stderr).toContain(`Warning: ${said}`);
  const job = join(world.directory, 'job');
  const { stderr } = await world.run('import-hashes', file, '--canary', list, '--job', job);
  expect(stderr).toContain(`Warning: ${said}`);
  expect(JSON.parse(await readFile(join(job, 'summary.json'), 'utf8')).by_algorithm).toMatchObject({
    hmacsha256_base64_key: { created: 3, canaries: 1, other_keys: 2 },
  });
  await writeFile(list, 'ann,one\nbob,two\n');
  expect((await world.run(...check)).stderr).not.toContain('another HMAC key');
});

test.each([
  ['nobody,x\n', /known\.csv, line 1: no row of the file has this user name/],
  ['ann\n', /known\.csv, line 1: a canary is a user name, a comma and a password/],
  ['', /it contains no canaries/],
])('a list of canaries without any use is refused (%j)', async (canaries, reason) => {
  const { exitCode, stderr, total } = await importing(await startWorld(), rows, canaries);
  expect({ exitCode, total }).toEqual({ exitCode: 2, total: 0 });
  expect(stderr).toMatch(reason);
});

test('a rehearsal imports into a temporary tenant, logs the canaries in, and leaves only its records', async () => {
  const world = await startWorld();
  // Another rehearsal may be running on this machine.
  vi.stubEnv('TMPDIR', world.directory);
  onTestFinished(() => void vi.unstubAllEnvs());
  const lines = [...rows, `dan,md5,${hex('md5', 'x')}`];
  const definition = join(world.directory, 'strict.json');
  await writeFile(
    definition,
    JSON.stringify({ tenant_id: 'strict', attributes: { user_name: { pattern: '^[a-c]' } } }),
  );
  const strict = ['--rehearse', '--tenant', definition];
  const { exitCode, stdout, stderr, total, job } = await importing(world, lines, known, ...strict);
  expect({ exitCode, total }).toEqual({ exitCode: 7, total: 0 });
  expect(stdout).toContain('SVC.TENANT.USER.');
  expect(stderr).toContain('2 of 2 passwords accepted, all 2 must be changed first (pwd_must_modify)\n');
  const summary = JSON.parse(await readFile(join(job, 'summary.json'), 'utf8'));
  expect(summary).toMatchObject({ rows: 4, created: 3, failed: 1, rehearsal: true, dry_run: false });
  const left = (await readdir(tmpdir())).filter((name) => name.includes('rehearsal'));
  expect(left).toEqual([]);

  // The import archives the records of the rehearsal.
  expect(await importing(world, lines, known)).toMatchObject({ exitCode: 0, total: 4 });
});

test('a canary whose row a rehearsal did not import is named, and no import is recommended', async () => {
  const world = await startWorld();
  const definition = join(world.directory, 'strict.json');
  await writeFile(
    definition,
    JSON.stringify({ tenant_id: 'strict', attributes: { user_name: { pattern: '^[b-c]' } } }),
  );
  const { exitCode, stderr } = await importing(world, rows, known, '--rehearse', '--tenant', definition);
  expect(exitCode).toBe(8);
  expect(stderr).toContain('1 of 2 canaries cannot log in to the rehearsal');
  expect(stderr).toContain('line 1: the row of this user was not imported');
  expect(stderr).not.toContain('Import for real');
});

test('a canary that cannot log in to a rehearsal has spoilt nothing on the tenant', async () => {
  const world = await startWorld();
  const file = (name: string) => join(world.directory, name);
  await writeFile(file('legacy.csv'), `login,hash,lock\nuser1,${hex('md5', 'Old secret 1')},L\n`);
  await writeFile(file('known.csv'), 'user1,Old secret 1\n');
  await writeFile(
    file('own.recipe.yaml'),
    'fields: { user_name: { column: login } }\npassword: { column: hash, algorithm: { infer: true } }\ndisable: { where: { column: lock, in: [L] } }\n',
  );
  const how = ['--canary', file('known.csv'), '--ramp', 'canaries,100%', '--rehearse', '--job', file('job')];
  const recipe = ['--recipe', file('own.recipe.yaml')];
  const { exitCode, stderr } = await world.run('import-hashes', file('legacy.csv'), ...how, ...recipe);
  expect({ exitCode, stderr }).toEqual({ exitCode: 8, stderr: expect.stringContaining('failures.csv') });
  expect(stderr).toContain('1 of 1 canaries cannot log in to the rehearsal (');
  expect(stderr).toContain('or name other canaries, then rehearse again.');
  expect(stderr).not.toContain('The canaries stay');
});

test.each([
  ['--set=pwd_must_modify=false', '2 of 2 canaries logged in with their old passwords'],
  ['--map=pwd_must_modify=change', '2 of 2 passwords accepted, 1 must be changed first (pwd_must_modify)'],
])('a rehearsal says who could log in and who must change the password first (%s)', async (option, said) => {
  const world = await startWorld();
  const file = join(world.directory, 'legacy.csv');
  const list = join(world.directory, 'known.csv');
  const isMapped = option.startsWith('--map');
  const header = `user_name,algorithm,hash${isMapped ? ',change' : ''}`;
  const lines = rows.map((row, index) => (isMapped ? `${row},${index === 0}` : row));
  await writeFile(file, `${[header, ...lines].join('\n')}\n`);
  await writeFile(list, known);
  const job = join(world.directory, 'job');
  const ended = await world.run('import-hashes', file, '--job', job, '--canary', list, '--rehearse', option);
  expect(ended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`${said}\n`) });
});

test('options that contradict each other are refused', async () => {
  const world = await startWorld();
  expect(await importing(world, rows, known, '--tenant', 'x.json')).toMatchObject({ exitCode: 2, total: 0 });
  expect(await importing(world, rows, known, '--rehearse', '--dry-run')).toMatchObject({
    exitCode: 2,
    total: 0,
  });
  const local = await world.run('import-hashes', 'x.csv', '--rehearse', '--local', 'x.db');
  expect(local).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'tenant-users: --rehearse and --local cannot be used together\nA rehearsal makes a temporary tenant of its own: remove one of them.\n',
  });
});
