import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from '../processes.mjs';

const bin = fileURLToPath(new URL('../../bin/tenant-users.js', import.meta.url));

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
  const args = ['serve', '--port', port, '--database', database, '--json', '--log-level', 'silent'];
  if (faults) args.push('--faults', faults);
  const serve = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = text(serve.stderr);
  const [line] = await Promise.race([
    once(createInterface(serve.stdout), 'line'),
    once(serve, 'exit').then(async () => {
      throw new Error(`the service did not start: ${await said}`);
    }),
  ]);
  /** @param {NodeJS.Signals} signal */
  const kill = async (signal) => {
    const exit = once(serve, 'exit');
    serve.kill(signal);
    await exit;
  };
  return { baseUrl: JSON.parse(line).base_url, kill: () => kill('SIGKILL'), end: () => kill('SIGTERM') };
}

/**
 * Runs the import, or goes on with it: the command is the same.
 * @param {Paths} paths
 * @param {string} baseUrl
 */
export function startImport({ file, job }, baseUrl) {
  const importer = spawn(
    process.execPath,
    [bin, 'import-hashes', file, '--job', job, '--json', '--yes', '--timeout', '5'],
    {
      env: { ...env, TENANT_USERS_BASE_URL: baseUrl },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const said = text(importer.stderr);
  return {
    kill: () => importer.kill('SIGKILL'),
    /** The summary of a run that went through; `undefined` when it was killed, or stopped to be run again. */
    ended: once(importer, 'exit').then(async ([code, signal]) => {
      if (signal === 'SIGKILL' || [8, 9].includes(code)) return undefined;
      const summary = JSON.parse(await readFile(join(job, 'summary.json'), 'utf8'));
      const { rows, created, existing, ...rest } = summary;
      // What got no answer in all attempts is looked up by the next run.
      if (code === 7 && rest.unknown > 0 && created + existing + rest.unknown === rows) return undefined;
      if (code !== 0 || created + existing !== rows) {
        throw new Error(
          `the import ended with ${code}: ${await said} ${JSON.stringify({ rows, created, existing, ...rest })}`,
        );
      }
      return summary;
    }),
  };
}
