import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { CommandContext } from '../../../src/cli/context/context.ts';
import { withoutEcho } from '../../../src/cli/input/prompts.ts';

/** A terminal that records when it shows what is typed. */
function startTerminal() {
  const modes: boolean[] = [];
  const stdin = Object.assign(Readable.from([]), { setRawMode: (isRaw: boolean) => void modes.push(isRaw) });
  return { context: { stdin }, stdin, modes };
}

/** What a prompt does with the terminal. */
async function prompt(context: Pick<CommandContext, 'stdin'>): Promise<void> {
  context.stdin.setRawMode?.(true);
  await Promise.resolve();
  context.stdin.setRawMode?.(false);
}

test('between prompts the terminal shows nothing that is typed, and after the last one it does again', async () => {
  const { context, modes } = startTerminal();
  const ask = () => withoutEcho(context, () => prompt(context));
  const answer = await withoutEcho(context, async () => {
    await ask();
    await ask();
    expect(modes).toEqual([true, true]);
    return 'answer';
  });
  expect(answer).toBe('answer');
  expect(modes).toEqual([true, true, false]);
  await prompt(context);
  expect(modes.slice(3)).toEqual([true, false]);
});

test('a prompt that fails leaves the terminal as it was', async () => {
  const { context, modes } = startTerminal();
  const failing = withoutEcho(context, async () => {
    await prompt(context);
    throw new Error('interrupted');
  });
  await expect(failing).rejects.toThrow('interrupted');
  expect(modes).toEqual([true, false]);
});
