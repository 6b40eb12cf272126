import type { Clock } from '../../client/retry.ts';
import type { FormatName } from '../output/formats/format.ts';

/** Options that every command accepts, before its name and after. */
export interface GlobalOptions {
  profile?: string;
  baseUrl?: string;
  /** A database, or `true` for the default one. */
  local?: string | true;
  json?: true;
  output?: FormatName;
  columns?: string[];
  quiet?: true;
  /** A line on stderr for each HTTP exchange. */
  verbose?: true;
  /** Seconds. */
  timeout?: number;
  config?: string;
  yes?: true;
  /** False with `--no-color`; what else decides on colours is in `styles.ts`. */
  color?: boolean;
}

/** A stream that people or programs read from us. */
export interface Output extends NodeJS.WritableStream {
  isTTY?: boolean;
  /** Width of the terminal in characters. */
  columns?: number;
}

/** A stream that we read from people or programs. */
export interface Input extends NodeJS.ReadableStream {
  isTTY?: boolean;
}

/** Everything a command may touch outside itself. */
export interface ProcessContext {
  stdin: Input;
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Directory of the configuration file, unless `--config` or the environment names the file. */
  configDirectory: string;
  /** Epoch milliseconds. */
  now(): number;
  /** What a command waits by; default the system's clock. */
  clock?: Clock | undefined;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, with its name: take no new work, finish what is under way. */
  signal: AbortSignal;
}

/** A world with the options of one command line, and what is to be ended with it. */
export interface CommandContext extends ProcessContext {
  /** The words of the command line, none of which is a secret. */
  words: readonly string[];
  options: GlobalOptions;
  /** Set by a command that answers a signal itself: it finishes what is under way and then returns. */
  endsItself?: true;
  /** Runs when the command is over, however it ended. */
  atEnd(end: () => Promise<void>): void;
}
