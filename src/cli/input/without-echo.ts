import type { Key } from 'node:readline';
import type { CommandContext, Input } from '../context/context.ts';

/** Terminals that currently do not echo what is typed. */
const silent = new WeakSet<Input>();

/**
 * Runs several prompts while the terminal echoes nothing. Each prompt on its own turns the echo back on when it ends,
 * so that a secret typed early or fast would be visible until the next prompt turns it off.
 */
export async function withoutEcho<Answer>(
  { stdin, onContinued }: Pick<CommandContext, 'stdin' | 'onContinued'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { setRawMode } = stdin;
  if (!setRawMode || silent.has(stdin)) return ask();
  silent.add(stdin);
  let isStopping = false;
  // Called before the prompt's own listener, which gives the terminal back to the shell, and then stops the process.
  const notice = (_: unknown, { ctrl, name }: Key) => {
    isStopping = ctrl === true && name === 'z';
  };
  stdin.on('keypress', notice);
  stdin.setRawMode = (isRaw) => (isRaw || isStopping ? setRawMode.call(stdin, isRaw) : stdin);
  // A shell may have changed the terminal meanwhile, which Node does not know.
  const forget = onContinued?.(() => {
    setRawMode.call(stdin, false);
    setRawMode.call(stdin, true);
  });
  try {
    return await ask();
  } finally {
    forget?.();
    stdin.removeListener('keypress', notice);
    silent.delete(stdin);
    stdin.setRawMode = setRawMode;
    stdin.setRawMode(false);
  }
}
