import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unprivileged } from '../unprivileged.mjs';

/**
 * A temporary directory for the socket and the configuration of a server, which runs as another user where we are root.
 * @param {string} name
 */
export function makeServerDirectory(name) {
  const directory = mkdtempSync(join(tmpdir(), `tu-${name}-`));
  const user = unprivileged();
  chmodSync(directory, 0o755);
  if (user) chownSync(directory, user.uid, user.gid);
  return { directory, user };
}

/**
 * Starts a server of somebody else, and resolves when it has said that it is ready; `stop` kills it, and removes its
 * directory.
 * @param {string} program
 * @param {string[]} args
 * @param {{ directory: string, user: { uid: number, gid: number } | undefined, isReady: RegExp }} options
 */
export async function startForeignServer(program, args, { directory, user, isReady }) {
  const server = spawn(program, args, { ...user, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'exit');
  let said = '';
  for await (const chunk of server.stderr.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (isReady.test(said)) break;
  }
  if (!isReady.test(said)) throw new Error(`${program} did not start:\n${said}`);
  server.stderr.resume();
  return {
    async stop() {
      server.kill('SIGKILL');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
