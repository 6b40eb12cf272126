import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../world.ts';
import { bin, runProgram } from '../process/start-program.ts';

test('an account without a home sees that it has no configuration, and status takes --local', async () => {
  const database = join(await temporaryDirectory(), 'x.db');
  const homeless = (...args: string[]) => runProgram(args, { HOME: '' });
  const status = await homeless('status', '--local', database, '--json');
  expect(status).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(status.stdout)).toMatchObject({
    local: database,
    configuration: { file: null, mode: null, warnings: [] },
  });
  expect((await homeless('status', '--local', database)).stdout).toContain('there is no place for it');
  const login = 'tenant-users --config FILE login';
  const unset = await homeless('status');
  expect(unset).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(`\nRun: ${login} (or `) });
  expect((await homeless('list', '--profile', 'x')).stderr).toContain(`with: ${login} --profile x\n`);
  expect(await homeless('profiles', 'list')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `There is no place for a configuration; there are no profiles; create one with: ${login}\n`,
  });
  const { exitCode, stdout } = await homeless('doctor', '--local', database);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/warning +configuration +there is no place for the configuration: this account has/);
});

// Only root can become an account that the system has no name and no home for, as in a container.
test.runIf(process.getuid?.() === 0)('an account without a name logs in with --config', async () => {
  const directory = await temporaryDirectory();
  await chmod(directory, 0o777);
  const [config, database] = [join(directory, 'c.json'), join(directory, 'x.db')];
  const run = (...args: string[]) => {
    const unnamed = ['--reuid=54321', '--regid=54321', '--clear-groups', process.execPath, bin];
    const { PATH = '' } = process.env;
    return promisify(execFile)('setpriv', [...unnamed, '--config', config, ...args], { env: { PATH } });
  };
  const login = await run('login', '--local', database, '--yes');
  expect(login.stderr).toContain(`stored as profile "default" in ${config}\n`);
  expect((await run('profiles', 'list', '--json')).stdout).toContain(database);
});
