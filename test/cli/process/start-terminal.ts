import { closeSync, constants, openSync } from 'node:fs';
import type { IPty } from '@lydell/node-pty';
import { onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../world.ts';
import { type Leftover, openScreen } from './screen.ts';
import { bin } from './start-program.ts';

/** How a program ended: an exit code, or the number of the signal that ended it. */
export interface TerminalExit {
  exitCode: number;
  signal: number;
}

/** A program on a pseudo-terminal, and what a person at this terminal can see and do. */
export interface StartedTerminal {
  /** What the person sees: the lines of the window, without blanks at their ends and empty lines below. */
  screen(): Promise<string>;
  /** The same, with all lines that have left the window at its top. */
  scrollback(): Promise<string>;
  /** Every character that the program has sent so far, including escape sequences. */
  raw(): string;
  /** Waits until the text can be seen; throws, with the screen, if the program ends before. */
  waitFor(text: string | RegExp): Promise<void>;
  /** Types keys: `\r` is Enter, `\x03` Ctrl-C, `\x04` Ctrl-D. */
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the program has ended and everything that it sent is on the screen. */
  exited: Promise<TerminalExit>;
  /** What the program has not restored; call it when the program has ended. */
  leftovers(): Promise<Leftover[]>;
}

/** A program as its terminal knows it. */
interface OnTerminal extends Pick<IPty, 'write' | 'resize'> {
  onData(take: (output: string) => void): unknown;
  onExit(take: (end: { exitCode: number; signal?: number }) => void): unknown;
  kill(signal: NodeJS.Signals): void;
}

/** The environment of a program on a terminal. */
export interface TerminalOptions {
  /** Variables in addition to `PATH`, `HOME` and `TERM`; by default `HOME` is an empty directory. */
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
  /** Working directory; by default that of the project. */
  cwd?: string;
  /** Another program than ours, such as a shell that starts it. */
  command?: readonly [string, ...string[]];
}

const pty = await import('@lydell/node-pty').catch((cause: unknown) => String(cause).split('\n')[0] ?? '');
if (typeof pty === 'string') {
  process.stderr.write(`SKIPPED: the tests on a terminal; there is no pseudo-terminal here (${pty})\n`);
}

/** A test on a terminal. It is skipped, with the reason on stderr, if there is no pseudo-terminal for the platform. */
export const terminalTest = test.skipIf(typeof pty === 'string');

/** Starts the built program on a pseudo-terminal of 80 columns and 24 rows; it is killed when the test ends. */
export async function startTerminal(
  args: readonly string[],
  { env = {}, command = [process.execPath, bin], ...options }: TerminalOptions = {},
): Promise<StartedTerminal> {
  const home = env.HOME ?? (await temporaryDirectory());
  const all = { PATH: process.env.PATH ?? '', HOME: home, ...env };
  return watch(spawnOnTerminal([...command, ...args], { ...options, env: all }), options);
}

/** Starts a program on a pseudo-terminal; it is killed when the test ends. */
export function spawnOnTerminal(
  [file = '', ...args]: readonly string[],
  { columns: cols = 80, rows = 24, ...options }: Omit<TerminalOptions, 'command'>,
): IPty & { ptsName?: string } {
  if (typeof pty === 'string') throw new Error(`no pseudo-terminal: ${pty}`);
  // The library sets `TERM` to this name, whatever the environment has.
  const name = options.env?.TERM ?? 'xterm-256color';
  const started = pty.spawn(file, args, { cwd: process.cwd(), name, cols, rows, ...options });
  holdOpen(started);
  let ended = false;
  started.onExit(() => {
    ended = true;
  });
  onTestFinished(() => {
    if (!ended) started.kill('SIGKILL');
  });
  return started;
}

/**
 * Keeps the program's side of the terminal open until the program has ended. A reader that is interrupted between its
 * check for output and its check for the end may see the end first, and then loses the last line. This cannot happen
 * while the side is open, and the reading thread closes it.
 */
function holdOpen(started: IPty & { ptsName?: string }): void {
  if (started.ptsName === undefined) return;
  const side = openSync(started.ptsName, constants.O_RDWR | constants.O_NOCTTY);
  const timer = setInterval(() => {
    if (isRunning(started.pid)) return;
    clearInterval(timer);
    closeSync(side);
  }, 2);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What can be seen and done at the terminal of a program. */
export function watch(
  started: OnTerminal,
  { columns: cols = 80, rows = 24 }: Pick<TerminalOptions, 'columns' | 'rows'>,
): StartedTerminal {
  const { terminal, window, scrollback, ...screen } = openScreen({ cols, rows });
  let raw = '';
  let ended = false;
  const waiting = new Set<() => void>();
  const look = () => screen.parsed().then(() => waiting.forEach((check) => void check()));
  started.onData((data) => {
    raw += data;
    terminal.write(data);
    void look();
  });
  // A terminal answers what a program asks, such as where its cursor is.
  terminal.onData((answer) => void (ended || started.write(answer)));
  const exited = new Promise<TerminalExit>((resolve) => {
    started.onExit(({ exitCode, signal = 0 }) => {
      ended = true;
      void look().then(() => resolve({ exitCode, signal }));
    });
  });

  return {
    screen: window,
    scrollback,
    raw: () => raw,
    waitFor: (text) =>
      new Promise((resolve, reject) => {
        const check = async () => {
          const seen = await scrollback();
          if (typeof text === 'string' ? seen.includes(text) : text.test(seen)) resolve();
          else if (ended) reject(new Error(`the program ended without ${text}; the screen:\n${seen}`));
          else return;
          waiting.delete(check);
        };
        waiting.add(check);
        void check();
      }),
    type: (keys) => started.write(keys),
    resize(columns, rows) {
      terminal.resize(columns, rows);
      started.resize(columns, rows);
    },
    kill: (signal) => started.kill(signal),
    exited,
    async leftovers() {
      await exited;
      return screen.leftovers();
    },
  };
}
