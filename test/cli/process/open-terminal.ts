import { constants, openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { ownDirectories } from '../../../src/cli/context/directories.ts';
import { systemClock } from '../../../src/client/retry.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';
import { type StartedTerminal, spawnOnTerminal, type TerminalOptions, watch } from './start-terminal.ts';

/** Written after the output, of which the terminal would otherwise lose what is not read yet. */
const end = '\0';

/**
 * Runs a command like `startTerminal`, but in this process, which takes much less processor time. The terminal is the
 * same pseudo-terminal: it echoes, and changes to raw input when the command asks for it. It cannot send a signal
 * to a part of this process, so Ctrl-C ends a command only at a prompt. The command must not write more than 64 kB at
 * once, since nobody else reads meanwhile.
 */
export async function openTerminal(
  args: readonly string[],
  { env = {}, cwd = process.cwd(), ...size }: Omit<TerminalOptions, 'command'> = {},
): Promise<StartedTerminal> {
  const home = env.HOME ?? (await temporaryDirectory());
  // This program has the terminal until the command has ended.
  const holder = spawnOnTerminal(['sleep', '3600'], size);
  const side = () => openSync(holder.ptsName ?? '', constants.O_RDWR | constants.O_NOCTTY);
  // As on the streams of a process, a prompt then does not end the output.
  const output = () => Object.assign(new WriteStream(side()), { _isStdio: true });
  const streams = { stdin: new ReadStream(side()), stdout: output(), stderr: output() };
  const stop = new AbortController();
  const before = process.cwd();
  process.chdir(cwd);
  const ended = runCommand([...args], {
    env: { TERM: 'xterm-256color', ...env },
    ...ownDirectories(env, () => home),
    ...streams,
    clock: systemClock,
    signal: stop.signal,
  }).finally(() => {
    process.chdir(before);
    streams.stdin.destroy();
    streams.stdout.write(end);
  });
  const allSeen = new Promise<void>((resolve) => {
    holder.onData((data) => data.includes(end) && resolve());
  });
  void allSeen.then(() => [streams.stdout, streams.stderr].forEach((stream) => void stream.destroy()));
  return watch(
    {
      onData: (take) => holder.onData((data) => take(data.replace(end, ''))),
      write: (keys) => holder.write(keys),
      resize: (columns, rows) => holder.resize(columns, rows),
      kill: (signal) => stop.abort(signal),
      onExit: (take) => allSeen.then(() => ended).then(take),
    },
    size,
  );
}
