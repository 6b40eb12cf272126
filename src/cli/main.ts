import { homedir } from 'node:os';
import { join } from 'node:path';
import { exitCodes } from './errors/exit-codes.ts';
import { run } from './run.ts';

/** Runs the process's own command line. `compiledDirectory`: where its compiled code is kept; `onCommand` hears which command runs. */
export async function main(compiledDirectory?: string, onCommand?: (path: string) => void): Promise<void> {
  const { signal, secondSignal } = interruptionSignals();
  const streams = standardStreams();
  const directories = { configDirectory: configDirectory(), stateDirectory: stateDirectory() };
  const own = {
    env: process.env,
    ...directories,
    compiledDirectory,
    onCommand,
    now: Date.now,
    signal,
    secondSignal,
    stalled: nothingLeft(),
  };
  process.exitCode = await run(process.argv.slice(2), Object.assign(streams.open, own));
  streams.release();
  // What is left to write would keep the process for as long as nobody reads it.
  if (signal.aborted) setTimeout(() => process.exit(), flushTimeout).unref();
}

/** Milliseconds that the reader of an interrupted command has to take the rest of its output. */
const flushTimeout = 500;

/** Signals that end a command cleanly the first time, and at once the second. */
const exitCodeOfSignal = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hungUp,
} as const;

/**
 * Milliseconds in which a second signal is the first once more: what runs a program in a group of processes, such as `timeout`,
 * sends it to the program and to the group.
 */
const echo = 100;

function interruptionSignals(): { signal: AbortSignal; secondSignal: AbortSignal } {
  const [stop, end] = [new AbortController(), new AbortController()];
  let first = 0;
  for (const [name, code] of Object.entries(exitCodeOfSignal)) {
    process.on(name, () => {
      if (stop.signal.aborted) {
        if (performance.now() - first < echo) return;
        end.abort(name);
        process.exit(code);
      }
      first = performance.now();
      stop.abort(name);
    });
  }
  return { signal: stop.signal, secondSignal: end.signal };
}

/** Node would end the process with exit code 0, as if all were done. */
function nothingLeft(): Promise<never> {
  const left = new Promise<never>((_, reject) => {
    const message = 'nothing is left that could end the command';
    process.once('beforeExit', () => reject(new Error(message)));
  });
  // When the command has ended nobody listens any more.
  left.catch(() => {});
  return left;
}

/** The streams of the process. Each is opened when it is first used: that takes time, and most commands leave one alone. */
function standardStreams() {
  const opened: { stdin?: NodeJS.ReadStream; stdout?: NodeJS.WriteStream; stderr?: NodeJS.WriteStream } = {};
  const open = {
    get stdin() {
      opened.stdin ??= process.stdin;
      return opened.stdin;
    },
    get stdout() {
      // A reader that has seen enough, such as `head`, is no failure.
      opened.stdout ??= process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EPIPE') process.exit();
        // Comes when no command listens any more, and would be shown with a trace and the program's text.
        open.stderr.write(`tenant-users: cannot write the output (${error.code ?? error.message})\n`);
        process.exit(exitCodes.unexpected);
      });
      return opened.stdout;
    },
    get stderr() {
      // Nobody reads stderr any more; that must not stop an import half-way.
      opened.stderr ??= process.stderr.on('error', () => {});
      return opened.stderr;
    },
  };
  return { open, release: () => void opened.stdin?.unref?.() };
}

/** The platform's directory for configuration. */
function configDirectory(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  if (process.platform === 'win32')
    return join(APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'tenant-users');
  return join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'tenant-users');
}

/** The platform's directory for what a program keeps between its runs. */
function stateDirectory(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  if (process.platform === 'win32')
    return join(LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'tenant-users');
  return join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'tenant-users');
}
