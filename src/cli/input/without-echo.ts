import type { CommandContext, Input } from '../context/context.ts';

/** Terminals that show nothing of what is typed. */
const silent = new WeakSet<Input>();

/**
 * Runs what asks several times, while the terminal shows nothing of what is typed: by itself each prompt turns the echo on
 * again at its end, and a secret that is typed early, or fast, would be seen before the next one has turned it off.
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
