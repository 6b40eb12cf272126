import type { CommandContext, Input } from '../context/context.ts';

/** Terminals that currently do not echo what is typed. */
const silent = new WeakSet<Input>();

/**
 * Runs several prompts while the terminal echoes nothing. Each prompt on its own turns the echo back on when it ends,
 * so that a secret typed early or fast would be visible until the next prompt turns it off.
 */
export async function withoutEcho<Answer>(
  { stdin }: Pick<CommandContext, 'stdin'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { setRawMode } = stdin;
  if (!setRawMode || silent.has(stdin)) return ask();
  silent.add(stdin);
  stdin.setRawMode = (isRaw) => (isRaw ? setRawMode.call(stdin, true) : stdin);
  try {
    return await ask();
  } finally {
    silent.delete(stdin);
    stdin.setRawMode = setRawMode;
    stdin.setRawMode(false);
  }
}
