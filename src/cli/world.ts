import type { GlobalOptions } from './global-options.ts';

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
export interface World {
  stdin: Input;
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Directory of the configuration file, unless `--config` or the environment names the file. */
  configDirectory: string;
  /** Epoch milliseconds. */
  now(): number;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, with its name: take no new work, finish what is under way. */
  signal: AbortSignal;
}

/** A world with the options of one command line, and what is to be ended with it. */
export interface Session extends World {
  /** The words of the command line, none of which is a secret. */
  words: readonly string[];
  options: GlobalOptions;
  /** Set by a command that answers a signal itself: it finishes what is under way and then returns. */
  endsItself?: true;
  /** Runs when the command is over, however it ended. */
  atEnd(end: () => Promise<void>): void;
}
