import { hidden } from '../../text/redact.ts';
import type { CommandContext, Input, Output } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { linesFor } from '../output/show.ts';
import { paint, type Style } from '../output/styles.ts';
import { withoutEcho } from './without-echo.ts';

/** What is asked, the flag that answers instead, and what a good answer is. */
export interface Question {
  message: string;
  /** Named where there is no terminal to ask on. */
  instead: string;
  /** Says what is wrong with an answer, which is then asked for again; `true` accepts it. */
  check?: (answer: string) => true | string;
  /** Taken when the answer is empty. */
  initial?: string | undefined;
  /** The answer may be empty. */
  isOptional?: boolean;
}

/** Asks a person for a text; off a terminal it throws a `UsageError` that names the flag to use instead. */
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
 * Asks for a secret; neither it nor its length is shown. `check` says what is wrong with an answer. Each attempt is a prompt of
 * its own: one that goes on would keep the refused answer, unseen, before what is typed next.
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

/** Something that is chosen from a list. */
export interface Choice {
  message: string;
  /** Named where there is no terminal to ask on. */
  instead: string;
  choices: readonly { value: string; name: string }[];
  /** Several, or none, can be chosen. */
  isMany?: true | undefined;
  /** Chosen at first. */
  initial?: readonly string[] | undefined;
}

/** Asks a person to choose; off a terminal it throws a `UsageError` that names the flag to use instead. */
export async function askChoice(
  context: CommandContext,
  { message, instead, choices, isMany, initial = [] }: Choice,
): Promise<string[]> {
  const { checkbox, select } = await prompts(context, message, instead);
  const theme = themeOf(context);
  if (isMany) {
    const marked = choices.map((choice) => ({ ...choice, checked: initial.includes(choice.value) }));
    return answered(context, instead, (streams) => checkbox({ message, choices: marked, theme }, streams));
  }
  const [marked] = initial;
  const first = marked === undefined ? {} : { default: marked };
  return [
    await answered(context, instead, (streams) =>
      select({ message, choices: [...choices], theme, ...first }, streams),
    ),
  ];
}

/**
 * Asks whether to go on with something that cannot be taken back; `--yes` answers for the person. What there is to know
 * before is printed first, also with `--json` and `--quiet`.
 */
export async function confirm(
  context: CommandContext,
  message: string,
  toKnow: () => Promise<string> = async () => '',
): Promise<boolean> {
  if (context.options.yes) return true;
  const prompt = await prompts(context, 'confirmation', '--yes');
  context.stderr.write(linesFor(context, await toKnow()));
  const config = { message, default: false, theme: themeOf(context) };
  return answered(context, '--yes', (streams) => prompt.confirm(config, streams));
}

/** Asks as `confirm` does; throws a `UsageError` where nobody agrees. `refused`: what did not happen then. */
export async function requireYes(
  context: CommandContext,
  message: string,
  refused: string,
  toKnow?: () => Promise<string>,
): Promise<void> {
  if (await confirm(context, message, toKnow)) return;
  throw new UsageError(refused, 'Answer y to continue, or use --yes.');
}

const empty = 'It cannot be empty.';

/** Ctrl-C at a prompt arrives as an error of the prompt, not as a signal. */
export function isPromptEnd(failure: unknown): boolean {
  return failure instanceof Error && failure.name === 'ExitPromptError';
}

/** Is there a person to ask? */
export function canAsk({ stdin, stderr }: CommandContext): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

async function prompts(context: CommandContext, what: string, instead: string) {
  if (!canAsk(context)) {
    throw new UsageError(`${what} is required, but there is no terminal to prompt on`, `Use ${instead}.`);
  }
  return import('@inquirer/prompts');
}

interface PromptStreams {
  input: Input;
  output: Output;
  signal: AbortSignal;
}

/** Ctrl-D closes the line, and nobody would answer any more: the prompt by itself would wait for ever. */
async function answered<Answer>(
  context: CommandContext,
  instead: string,
  ask: (streams: PromptStreams) => Promise<Answer>,
): Promise<Answer> {
  const { stdin, stderr, signal } = context;
  const closed = new AbortController();
  const look = () => void setImmediate(() => stdin.isPaused() && closed.abort());
  stdin.on('pause', look);
  try {
    return await ask({ input: stdin, output: stderr, signal: AbortSignal.any([signal, closed.signal]) });
  } catch (failure) {
    if (!closed.signal.aborted || signal.aborted) throw failure;
    throw new UsageError('the input ended before an answer was given', `Answer, or use ${instead}.`);
  } finally {
    stdin.removeListener('pause', look);
  }
}

/** The prompts' own theme would ask the standard output of the process whether there are colours. */
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
