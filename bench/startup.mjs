import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment, bin, credentials, startService } from './processes.mjs';
import { comparison } from './rows.mjs';

/** @import { Options } from './options.mjs' */

/**
 * How long the whole program takes, compared with `node -e 0`, in pairs of runs one after the other. The listing uses a
 * `serve` of its own, with the token of a profile.
 * @param {Options} options
 */
export async function* measure({ directory, runs }) {
  const env = { ...bareEnvironment, TENANT_USERS_CONFIG: join(directory, 'config.json') };
  const local = join(directory, 'startup.db');
  const cases = [
    { args: ['--version'], atMost: 1.2 },
    { args: ['--help'], atMost: 1.4 },
    { args: ['list', '--json'], atMost: 2.4 },
    { args: ['list', '--json', '--local'], more: [local], atMost: 4.5 },
  ];
  const server = await startService(':memory:');
  const login = [bin, 'login', '--base-url', server.baseUrl, '--client-id', 'bench'];
  await promisify(execFile)(process.execPath, login, { env: { ...env, ...credentials } });
  for (const { args, more = [], atMost } of cases) {
    const command = [bin, ...args, ...more];
    // The first run creates the database.
    await timeOf(command, env);
    /** @type {[number[], number[]]} */
    const [times, floors] = [[], []];
    for (let run = 0; run < runs; run += 1) {
      floors.push(await timeOf(['-e', '0'], env));
      times.push(await timeOf(command, env));
    }
    yield comparison(`${args.join(' ')}, against node -e 0`, 'ms', times, floors, { atMost });
  }
  await server.end();
}

/**
 * Milliseconds of a whole process.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function timeOf(args, env) {
  const start = performance.now();
  await promisify(execFile)(process.execPath, args, { env });
  return performance.now() - start;
}
