import type { Key } from 'node:readline';
import { hidden } from '../../text/redact.ts';
import { commandAgain } from '../context/command-line.ts';
import { type CommandContext, canAsk, type Input, type Output } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { linesFor } from '../output/show.ts';
import { paint, type Style } from '../output/styles.ts';

/** A question to a person, the flag that answers it instead, and which answers are valid. */
export interface Question {
  message: string;
  /** Named in the error if there is no terminal to ask on. */
  instead: string;
  /** Returns `true` to accept an answer, or what is wrong with it: then it is asked for again. */
  check?: (answer: string) => true | string;
  /** Used if the answer is empty. */
  initial?: string | undefined;
  isOptional?: boolean;
}

/** Asks a person for a text. Without a terminal, throws a `UsageError` that names the flag to use instead. */
export async function askText(context: CommandContext, question: Question): Promise<string> {
  const { message, instead, check = () => true, initial, isOptional = false } = question;
  const { input } = await prompts(context, message, instead);
  const validate = (answer: string) => {
    if (answer.trim() !== '') return check(answer.trim());
    return isOptional || empty;
  };
  const config = { message, validate, theme: themeOf(context), ...(initial ? { default: initial } : {}) };
  return (await answered(context, instead, (streams) => input(config, streams))).trim();
}

/**
 * Asks for a secret; neither it nor its length is shown. `check` says what is wrong with an answer. Each attempt is a
 * new prompt, because a continued prompt would keep the rejected answer, unseen, in front of what is typed next.
 */
export async function askSecret(
  context: CommandContext,
  message: string,
  instead: string,
  check: (answer: string) => true | string | Promise<true | string> = () => true,
): Promise<string> {
  const { password } = await prompts(context, message, instead);
  const config = { message, mask: false, toggleMask: false, theme: themeOf(context) };
  return withoutEcho(context, async () => {
    for (;;) {
      const answer = await answered(context, instead, (streams) => password(config, streams));
      const fault = answer === '' ? empty : await check(answer);
      if (fault === true) return answer;
      context.stderr.write(`${paint(context, 'stderr', 'red', linesFor(context, `> ${fault}`))}\n`);
    }
  });
}

/** A question with a list of choices. */
export interface Choice {
  message: string;
  /** Named in the error if there is no terminal to ask on. */
  instead: string;
  choices: readonly { value: string; name: string }[];
  /** True if several choices, or none, can be selected. */
  isMany?: true | undefined;
  /** Values that are selected at first. */
  initial?: readonly string[] | undefined;
}

/**
 * Asks a person to choose. Without a terminal, throws a `UsageError` that names the flag to use instead. Of a list that may be
 * selected from several times, everything is shown, if need be in several questions: whatever is not selected has an answer as well.
 */
export async function askChoice(
  context: CommandContext,
  { message, instead, choices, isMany, initial = [] }: Choice,
): Promise<string[]> {
  const { checkbox, select } = await prompts(context, message, instead);
  const theme = themeOf(context);
  const { default: stringWidth } = await import('string-width');
  // A terminal whose size is not known reports 0.
  const columns = context.stderr.columns || 80;
  const rows = context.stderr.rows || 24;
  // With a mark and a space, or how many parts there are.
  const linesOf = (text: string) => Math.ceil((stringWidth(text) + 12) / columns);
  // Above an empty line and the keys.
  const pageSize = Math.max(3, rows - linesOf(message) - 3);
  if (!isMany) {
    const [marked] = initial;
    const first = marked === undefined ? {} : { default: marked };
    const config = { message, choices: [...choices], theme, pageSize, ...first };
    return [await answered(context, instead, (streams) => select(config, streams))];
  }
  const selected: string[] = [];
  const pages = pagesOf(choices, ({ name }) => linesOf(name), pageSize);
  for (const [at, page] of pages.entries()) {
    const marked = page.map((choice) => ({ ...choice, checked: initial.includes(choice.value) }));
    const part = pages.length > 1 ? `${message} (${at + 1} of ${pages.length})` : message;
    const config = { message: part, choices: marked, theme, pageSize };
    selected.push(...(await answered(context, instead, (streams) => checkbox(config, streams))));
  }
  return selected;
}

/** Divides a list, in its order, into parts that have at most so many lines, or a single item. */
function pagesOf<Item>(items: readonly Item[], linesOf: (item: Item) => number, most: number): Item[][] {
  const pages: Item[][] = [];
  let free = 0;
  for (const item of items) {
    const lines = linesOf(item);
    if (free < lines) {
      pages.push([]);
      free = most;
    }
    pages.at(-1)?.push(item);
    free -= lines;
  }
  return pages;
}

/**
 * Asks a yes-or-no question, such as before a step that cannot be undone; `--yes` answers it. Prints the text of
 * `toKnow` first, even with `--json` and `--quiet`.
 */
export async function confirm(context: CommandContext, message: string, toKnow = ''): Promise<boolean> {
  if (context.options.yes) return true;
  if (!canAsk(context))
    throw new UsageError(
      `confirmation is required, but there is no terminal to prompt on: ${message}`,
      `Run:\n  ${commandAgain(context, '--yes')}`,
    );
  const prompt = await prompts(context, 'confirmation', '--yes');
  context.stderr.write(linesFor(context, toKnow));
  const config = { message, default: false, theme: themeOf(context) };
  return answered(context, '--yes', (streams) => prompt.confirm(config, streams));
}

/** Asks like `confirm`, and throws a `UsageError` if the answer is no. `refused`: what then did not happen. */
export async function requireYes(context: CommandContext, message: string, refused: string, toKnow?: string) {
  if (await confirm(context, message, toKnow)) return;
  throw new UsageError(refused, 'Answer y to continue, or use --yes.');
}

const empty = 'It cannot be empty.';

/** True for Ctrl-C at a prompt, which arrives as an error of the prompt, not as a signal. */
export function isPromptEnd(failure: unknown): boolean {
  return failure instanceof Error && failure.name === 'ExitPromptError';
}

async function prompts(context: CommandContext, what: string, instead: string) {
  if (!canAsk(context)) {
    throw new UsageError(`${what} is required, but there is no terminal to prompt on`, `Use ${instead}.`);
  }
  // A prompt would wait forever.
  if (context.stdin.readableEnded)
    throw new UsageError(`${what} is required, but standard input was read to its end`, `Use ${instead}.`);
  return import('@inquirer/prompts');
}

interface PromptStreams {
  input: Input;
  output: Output;
  signal: AbortSignal;
}

/** Runs a prompt. Throws a `UsageError` if Ctrl-D closes the input: the prompt alone would wait forever. */
async function answered<Answer>(
  context: CommandContext,
  instead: string,
  ask: (streams: PromptStreams) => Promise<Answer>,
): Promise<Answer> {
  const { stdin, stderr, signal } = context;
  const closed = new AbortController();
  const look = () => void setImmediate(() => stdin.isPaused() && closed.abort());
  stdin.on('pause', look);
  // Node's readline pauses the input when the process continues after Ctrl-Z, and leaves it to its caller to resume.
  const forget = context.onContinued?.(() => void setImmediate(() => stdin.resume()));
  try {
    return await ask({ input: stdin, output: stderr, signal: AbortSignal.any([signal, closed.signal]) });
  } catch (failure) {
    if (!closed.signal.aborted || signal.aborted) throw failure;
    throw new UsageError('the input ended before an answer was given', `Answer, or use ${instead}.`);
  } finally {
    forget?.();
    stdin.removeListener('pause', look);
  }
}

/** The theme of the prompts. Their default theme would decide on colors by the stdout of the process. */
function themeOf(context: CommandContext) {
  const styled = (style: Style) => (text: string) => paint(context, 'stderr', style, text);
  return {
    prefix: { idle: styled('cyan')('?'), done: styled('green')('✔') },
    style: {
      message: styled('bold'),
      answer: styled('cyan'),
      help: styled('dim'),
      error: (text: string) => styled('red')(`> ${text}`),
      defaultAnswer: (text: string) => styled('dim')(`(${text})`),
      maskedText: hidden,
    },
  };
}

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
