import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnServe } from '../../test/spawn-serve.mjs';
import { bareEnvironment, bin } from '../processes.mjs';

export const credentials = { client_id: 'torture', client_secret: 'torture' };

const env = {
  ...bareEnvironment,
  TENANT_USERS_CONFIG: join('/nowhere', 'config.json'),
  TENANT_USERS_CLIENT_ID: credentials.client_id,
  TENANT_USERS_CLIENT_SECRET: credentials.client_secret,
};

/** @typedef {{ file: string, job: string, database: string, faults?: string | undefined }} Paths */

/**
 * Starts a service on its database, and waits until it answers.
 * @param {Paths} paths
 */
export async function startService({ database, faults }, port = '0') {
  const options = ['--port', port, '--database', database, '--log-level', 'silent'];
  if (faults) options.push('--faults', faults);
  const { ready, end } = spawnServe(options, env);
  const { base_url: baseUrl } = await ready;
  return { baseUrl, kill: () => end('SIGKILL'), end: () => end('SIGTERM') };
}

/**
 * Runs or resumes a command whose job ends with a summary: the command is the same.
 * @param {readonly string[]} args
 * @param {string} job its directory
 * @param {string} baseUrl
 */
export function startProgram(args, job, baseUrl) {
  const { program, said } = spawnProgram([...args, '--timeout', '5'], baseUrl);
  return {
    kill: () => program.kill('SIGKILL'),
    /** The summary of a complete run; `undefined` if it was killed, or stopped and must be repeated. */
    ended: once(program, 'exit').then(async ([code, signal]) => {
      if (signal === 'SIGKILL' || code === 9) return undefined;
      if (code === 8 && !(await said).includes('DRIFT')) return undefined;
      // The run before was killed after everything was done.
      const isApplied = code === 3 && (await said).includes('PLAN_APPLIED');
      if (!isApplied && ![0, 7].includes(code)) throw new Error(`the run ended with ${code}: ${await said}`);
      const summary = JSON.parse(await readFile(join(job, 'summary.json'), 'utf8'));
      const { rows, created, updated = 0, disabled = 0, existing, ...rest } = summary;
      const fine = created + updated + disabled + existing;
      // A row whose attempts all got no answer is looked up by the next run.
      if (code === 7 && rest.unknown > 0 && fine + rest.unknown === rows) return undefined;
      if ((code !== 0 && !isApplied) || fine !== rows) {
        throw new Error(`the run ended with ${code}: ${await said} ${JSON.stringify(summary)}`);
      }
      return summary;
    }),
  };
}

/**
 * Runs a command that must succeed.
 * @param {readonly string[]} args
 * @param {string} baseUrl
 */
export async function runToEnd(args, baseUrl) {
  const { program, said } = spawnProgram(args, baseUrl);
  const [code] = await once(program, 'exit');
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${await said}`);
}

/**
 * @param {readonly string[]} args
 * @param {string} baseUrl
 */
function spawnProgram(args, baseUrl) {
  const program = spawn(process.execPath, [bin, ...args], {
    env: { ...env, TENANT_USERS_BASE_URL: baseUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { program, said: text(program.stderr) };
}
