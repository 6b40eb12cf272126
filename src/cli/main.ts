import { homedir } from 'node:os';
import { join } from 'node:path';
import { exitCodes } from './exit-codes.ts';
import { run } from './run.ts';

/** Runs the process's own command line. The first SIGINT or SIGTERM ends it cleanly, the second at once. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  for (const [name, code] of [
    ['SIGINT', exitCodes.interrupted],
    ['SIGTERM', exitCodes.terminated],
  ] as const) {
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
