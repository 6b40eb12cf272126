import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unprivileged } from '../unprivileged.mjs';

/**
 * A temporary directory for the socket and the configuration of a server, which runs as another user if we are root.
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
 * Starts another program's server, and resolves when `isReady` does; `stop` kills it, and removes its directory.
 * @param {string} program
 * @param {string[]} args
 * @param {ReturnType<typeof makeServerDirectory>} place
 * @param {(said: () => string) => Promise<boolean>} isReady is called repeatedly, with the server's stderr so far
 */
export async function startForeignServer(program, args, { directory, user }, isReady) {
  const server = spawn(program, args, { ...user, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'exit');
  let said = '';
  server.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  while (!(await isReady(() => said))) {
    if (server.exitCode !== null) throw new Error(`${program} did not start:\n${said}`);
    await sleep(20);
  }
  return {
    async stop() {
      server.kill('SIGKILL');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
