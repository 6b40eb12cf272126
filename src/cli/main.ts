import { homedir } from 'node:os';
import type { Change } from './context/context.ts';
import { ownDirectories } from './context/directories.ts';
import { exitCodeOfSignal, exitCodes } from './errors/exit-codes.ts';
import { lostResult } from './output/lost-result.ts';
import { run } from './run.ts';

/** Runs the command line of the process. `compiledDirectory`: where compiled code is stored; `onCommand`: see `ProcessContext`. */
export async function main(compiledDirectory?: string, onCommand?: (path: string) => void): Promise<void> {
  const { signal, secondSignal } = interruptionSignals();
  const args = process.argv.slice(2);
  const changes: Change[] = [];
  const streams = standardStreams((cause) => lostResult(cause, args, changes));
  const own = {
    env: process.env,
    // Replaced by getters, which find a directory when a command uses it.
    configDirectory: '',
    stateDirectory: '',
    compiledDirectory,
    onCommand,
    now: Date.now,
    signal,
    secondSignal,
    stalled: nothingLeft(),
    onContinued(act: () => void) {
      process.on('SIGCONT', act);
      return () => void process.off('SIGCONT', act);
    },
    onChange: (change: Change) => void changes.push(change),
    onExitCode: (code: number) => {
      process.exitCode = code;
    },
  };
  const directories = Object.getOwnPropertyDescriptors(ownDirectories(process.env, () => homedir()));
  const context = Object.defineProperties(Object.assign(streams.open, own), directories);
  process.exitCode = await run(args, context);
  streams.release();
  // Output that nobody reads would keep the process alive.
  if (signal.aborted) setTimeout(() => process.exit(), flushTimeout).unref();
}

/** Milliseconds that an interrupted command waits for a reader of its output, and another one has to end after its reader is gone. */
const flushTimeout = 500;

/**
 * Milliseconds within which a second signal counts as a copy of the first: tools such as `timeout` send a signal both
 * to the program and to its process group.
 */
const echo = 100;

/** A signal ends a command cleanly the first time, and immediately the second time. */
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

/** Rejects when Node has nothing left to wait for: it would then end the process with exit code 0, as if all were done. */
function nothingLeft(): Promise<never> {
  const left = new Promise<never>((_, reject) => {
    const message = 'nothing is left that could end the command';
    process.once('beforeExit', () => reject(new Error(message)));
  });
  // Prevents an unhandled rejection after the command has ended.
  left.catch(() => {});
  return left;
}

/**
 * The streams of the process. Each is opened on first use, because opening takes time and most commands leave one unused.
 * `lost`: the error for a stdout that cannot be written.
 */
function standardStreams(lost: (cause: Error) => string) {
  const opened: { stdin?: NodeJS.ReadStream; stdout?: NodeJS.WriteStream; stderr?: NodeJS.WriteStream } = {};
  const open = {
    get stdin() {
      opened.stdin ??= process.stdin;
      return opened.stdin;
    },
    get stdout() {
      opened.stdout ??= process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        // A reader that stops early, such as `head`, is not a failure, and the command may be about to end with its own code.
        if (error.code === 'EPIPE') return void setTimeout(() => process.exit(), flushTimeout).unref();
        // This can come after the command has ended. Node would show an unhandled error with a stack trace and source code.
        open.stderr.write(lost(error));
        process.exit(exitCodes.unexpected);
      });
      return opened.stdout;
    },
    get stderr() {
      // A closed stderr must not stop an import half-way.
      opened.stderr ??= process.stderr.on('error', () => {});
      return opened.stderr;
    },
  };
  return { open, release: () => void opened.stdin?.unref?.() };
}
