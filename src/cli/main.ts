import { homedir } from 'node:os';
import { join } from 'node:path';
import { exitCodes } from './exit-codes.ts';
import { run } from './run.ts';

/** Signals that end a command cleanly the first time, and at once the second. */
const endings = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hungUp,
} as const;

/** Runs the process's own command line. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  for (const [name, code] of Object.entries(endings)) {
    // A library below `conf` answers a signal by sending it again, which would end the process at once.
    process.removeAllListeners(name);
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(code);
      stop.abort(name);
    });
  }
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
  // Nobody reads what is said any more; that must not stop an import half-way.
  process.stderr.on('error', () => {});

  process.exitCode = await run(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    configDirectory: configDirectory(),
    now: Date.now,
    signal: stop.signal,
  });
  process.stdin.unref?.();
}

/** The platform's place for configuration. */
function configDirectory(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  if (process.platform === 'win32')
    return join(APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'tenant-users');
  return join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'tenant-users');
}
