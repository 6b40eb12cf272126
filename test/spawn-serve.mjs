import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/tenant-users.js', import.meta.url));

/**
 * Starts `serve` of the built program. `ready` resolves to what it prints when it accepts connections, and rejects with its stderr
 * if it ends before; `end` sends a signal, and resolves when the process has ended.
 * @param {readonly string[]} options
 * @param {Record<string, string>} env
 */
export function spawnServe(options, env) {
  const args = [bin, 'serve', ...options, '--json'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stderr = text(child.stderr);
  const exit = once(child, 'exit');
  const early = exit.then(async () => {
    throw new Error(`serve ended before it was ready; was the program built? ${await stderr}`);
  });
  const first = once(createInterface(child.stdout), 'line');
  return {
    child,
    ready: Promise.race([first, early]).then(([line]) => JSON.parse(line)),
    /** @param {NodeJS.Signals} signal */
    async end(signal) {
      child.kill(signal);
      const [code] = await exit;
      return { code, stderr: await stderr };
    },
  };
}
