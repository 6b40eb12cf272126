import type { Clock } from '../../client/retry.ts';
import type { OpenOptions } from '../../service/open-service.ts';
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
  /** Takes the result in place of stdout. */
  outputFile?: string;
  quiet?: true;
  /** Progress for programs, also where notices are silent. */
  progress?: 'jsonl';
  /** A line on stderr for each HTTP exchange. */
  verbose?: true;
  /** Seconds. */
  timeout?: number;
  config?: string;
  yes?: true;
  /** False with `--no-color`; `styles.ts` has the other conditions for colours. */
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
  /** Of a terminal: whether it hands over each character, and shows none. */
  setRawMode?(isRaw: boolean): unknown;
}

/** Everything a command may touch outside itself. */
export interface ProcessContext {
  stdin: Input;
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Directory of the configuration file, unless `--config` or the environment names the file. */
  configDirectory: string;
  /** Directory of the log. */
  stateDirectory: string;
  /** Where the program keeps its compiled code; left out where it is not built. */
  compiledDirectory?: string | undefined;
  /** Hears the path of each command that runs, such as `users list`. */
  onCommand?: ((path: string) => void) | undefined;
  /** Epoch milliseconds. */
  now(): number;
  /** IANA zone of the times that a person reads and writes; default the system's. */
  zone?: string | undefined;
  /** What a command waits by; default the system's clock. */
  clock?: Clock | undefined;
  /** Makes the keys of a local service that sign id tokens; default new ones. */
  makeKeyPair?: OpenOptions['makeKeyPair'];
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, with its name: take no new work, finish what is under way. */
  signal: AbortSignal;
  /** Aborted by the second one, just before the process ends. */
  secondSignal?: AbortSignal | undefined;
  /** Rejects when nothing is left that could end the command. */
  stalled?: Promise<never> | undefined;
}

/** A file that takes a result in place of stdout. The old one stays until the result is whole. */
export interface ResultFile {
  output: Output;
  /** Puts the result in place of the old file, which no reader ever sees in part. */
  replace(): void;
  /** Leaves the old file as it was; does nothing after `replace`. */
  discard(): void;
}

/** The context of one command line: its options, and what is cleaned up after it. */
export interface CommandContext extends ProcessContext {
  /** The arguments of the command line, none of which is a secret. */
  args: readonly string[];
  options: GlobalOptions;
  /** What `stdout` writes to with `--output-file`. */
  resultFile?: ResultFile;
  /** Set by a command that handles signals itself: it completes what is under way and then returns. */
  handlesSignals?: true;
  /** Runs another command line in this process, with streams of its own; resolves to its exit code. */
  runCommand(
    args: readonly string[],
    own: Pick<ProcessContext, 'stdin' | 'stdout' | 'stderr' | 'signal'>,
  ): Promise<number>;
  /** Registers what runs when the command is over, however it ended. */
  onExit(cleanup: () => Promise<void>): void;
}
