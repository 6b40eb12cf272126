import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { tellMemory } from './tell-memory.mjs';

/** The built program. */
export const bin = fileURLToPath(new URL('../../bin/tenant-users.js', import.meta.url));

const env = {
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  TENANT_USERS_CONFIG: '/nonexistent/config.json',
  TENANT_USERS_CLIENT_ID: 'bench',
  TENANT_USERS_CLIENT_SECRET: 'bench',
};

/**
 * Starts a process of Node that says where it listens: a line of JSON with `base_url`.
 * @param {string[]} args
 */
export async function startServer(args) {
  const { child, end } = start(args);
  const [line] = await once(createInterface(child.stdout), 'line');
  return {
    baseUrl: String(JSON.parse(line).base_url),
    /** Ends it in good order; resolves to its peak memory in megabytes. */
    async end() {
      child.kill('SIGTERM');
      return (await end()).peak;
    },
  };
}

/**
 * Runs Node to its end: seconds of the whole process, megabytes of its peak memory, and its stdout.
 * @param {string[]} args
 * @param {Record<string, string>} [more] environment
 */
export async function runToEnd(args, more) {
  const began = performance.now();
  const { child, end } = start(args, more);
  const stdout = text(child.stdout);
  const { code, peak, stderr } = await end();
  const seconds = (performance.now() - began) / 1000;
  // 7: the files of fixtures/ hold twelve rows that must be refused.
  if (code !== 0 && code !== 7) throw new Error(`exit code ${code}: ${stderr}`);
  return { seconds, peak, stdout: await stdout };
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} [more]
 */
function start(args, more) {
  const child = spawn(process.execPath, ['--import', tellMemory, ...args], {
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stderr = text(child.stderr);
  const ended = once(child, 'exit');
  const end = async () => {
    const [code] = await ended;
    const said = await stderr;
    return { code, stderr: said, peak: Number(/peak (\d+)\n$/.exec(said)?.[1]) / 1024 };
  };
  return { child, end };
}
