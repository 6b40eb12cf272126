import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Clock } from '../../client/retry.ts';
import { isTimeZone } from '../../contract/time.ts';
import type { OpenOptions } from '../../service/open-service.ts';
import type { FormatName } from '../output/formats/format.ts';

/** Options that every command accepts, before or after its name. */
export interface GlobalOptions {
  profile?: string;
  baseUrl?: string;
  /** A database, or `true` for the default one. */
  local?: string | true;
  json?: true;
  output?: FormatName;
  columns?: string[];
  /** A file that gets the result instead of stdout. */
  outputFile?: string;
  quiet?: true;
  /** Progress for programs, written even if notices are silent. */
  progress?: 'jsonl';
  /** A line on stderr for each HTTP exchange. */
  verbose?: true;
  /** Seconds. */
  timeout?: number;
  config?: string;
  yes?: true;
  /** False with `--no-color`; `styles.ts` has the other conditions for colors. */
  color?: boolean;
}

/** A stream that people or programs read from us. */
export interface Output extends NodeJS.WritableStream {
  isTTY?: boolean;
  /** Width of the terminal in characters, and its height in lines. */
  columns?: number;
  rows?: number;
  /** Number of its open file; only of a stream of the process. */
  fd?: number;
}

/** A stream that we read from people or programs. */
export interface Input extends NodeJS.ReadableStream {
  isTTY?: boolean;
  /** True when it was read to its end: nobody can answer a prompt then. */
  readableEnded?: boolean;
  /** Terminals only. In raw mode, a terminal passes on each character and echoes none. */
  setRawMode?(isRaw: boolean): unknown;
}

/** Something that a command has changed, named if its result cannot be written. */
export interface Change {
  /** A past participle, such as `created user ID`. */
  done: string;
  /** Sentence on how to see or correct it; may be empty. */
  next: string;
}

/** Everything a command may touch outside itself. */
export interface ProcessContext {
  stdin: Input;
  /** The file whose text `stdin` has, if another command line can name it in place of `-`. */
  stdinFile?: string | undefined;
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Directory of the configuration file, unless `--config` or the environment names the file. */
  configDirectory: string;
  /** Directory of the log, and of the paces of tenants. */
  stateDirectory: string;
  /** Where the program stores its compiled code; left out if it is not built. */
  compiledDirectory?: string | undefined;
  /** Called with the path of each command that runs, such as `users list`. */
  onCommand?: ((path: string) => void) | undefined;
  /** Called with each change as soon as it is made. */
  onChange?: ((change: Change) => void) | undefined;
  /** Called with the exit code before the cleanups, which something may end early. */
  onExitCode?: ((code: number) => void) | undefined;
  /** Epoch milliseconds. */
  now(): number;
  /** IANA time zone of the times that a person reads and writes; by default the system's. */
  zone?: string | undefined;
  /** The clock for waiting; by default the system's. */
  clock?: Clock | undefined;
  /** Makes the keys with which a local service signs id tokens; by default new ones. */
  makeKeyPair?: OpenOptions['makeKeyPair'];
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, with its name as reason: begin nothing new. */
  signal: AbortSignal;
  /** Aborted by the second signal, just before the process ends. */
  secondSignal?: AbortSignal | undefined;
  /** Calls `act` each time that the stopped process continues, such as with `fg`, until the returned function is called. */
  onContinued?: ((act: () => void) => () => void) | undefined;
  /** Rejects when Node has nothing left to wait for, although the command has not ended. */
  stalled?: Promise<never> | undefined;
}

/** A file that gets a result instead of stdout. The old file stays until the result is complete. */
export interface ResultFile {
  output: Output;
  /** Replaces the old file with the result in one step, so that no reader ever sees a part of it. Tries it once: then does nothing. */
  replace(): void;
  /** Discards the result and leaves the old file as it was. Does nothing after `replace`. */
  discard(): void;
}

/** The context of one command line: its options, and its cleanups. */
export interface CommandContext extends ProcessContext {
  /** The arguments of the command line, none of which is a secret. */
  args: readonly string[];
  options: GlobalOptions;
  /** The files and directories that the command line names. */
  paths: readonly string[];
  /** The file that `stdout` writes to with `--output-file`. */
  resultFile?: ResultFile;
  /** What the command has changed until now. */
  changes: readonly Change[];
  /** Adds to `changes`. The commands in `next` get the connection options. */
  noteChange(change: Change): void;
  /** Set by a command that handles signals itself: it waits a little for answers, and then returns. */
  handlesSignals?: true;
  /** Set when a whole result was printed: it says what the command did, and `--output-file` gets it, even if the command then fails. */
  hasResult?: true;
  /** Advice on a change that was sent and has no answer yet, or got none. */
  unanswered?: string | undefined;
  /** Set by a command that goes on to its result although something failed: reported when the result was printed. */
  failure?: Error;
  /** Runs another command line in this process, with streams of its own; resolves to its exit code. */
  runCommand(
    args: readonly string[],
    own: Pick<ProcessContext, 'stdin' | 'stdinFile' | 'stdout' | 'stderr' | 'signal'>,
  ): Promise<number>;
  /** Registers a cleanup that runs when the command has ended, whether it failed or not. It may set `failure`. */
  onExit(cleanup: () => Promise<void>): void;
}

/** Adds a command to its parent. Only children created by `parent.command()` inherit its exit handling. */
export type AddCommand = (parent: CommandUnknownOpts, context: CommandContext) => void;

/** True if there is a person to ask: stdin and stderr are terminals. */
export function canAsk({ stdin, stderr }: CommandContext): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** IANA time zone of the times that a person reads and writes: that of the machine, unless `TZ` names one. */
export function zoneOf({ zone, env }: Pick<CommandContext, 'zone' | 'env'>): string {
  if (zone !== undefined) return zone;
  // Node.js itself uses UTC for a `TZ` in other letters, such as europe/berlin, and reports no zone for one that is not valid.
  const names = [zoneVariable(env), Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined];
  const name = names.find((name) => name !== undefined && isTimeZone(name)) ?? 'UTC';
  return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
}

/** What `TZ` says, whether it is a zone or not; `undefined` if that is nothing. */
export function zoneVariable({ TZ }: CommandContext['env']): string | undefined {
  return TZ?.replace(/^:/, '') || undefined;
}
