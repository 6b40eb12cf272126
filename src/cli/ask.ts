import { UsageError } from './failures.ts';
import type { Session } from './world.ts';

/** What is asked, the flag that answers instead, and what a good answer is. */
export interface Question {
  message: string;
  /** Named where there is no terminal to ask on. */
  instead: string;
  /** Says what is wrong with an answer, which is then asked for again; `true` accepts it. */
  check?: (answer: string) => true | string;
  /** Taken when the answer is empty. */
  initial?: string | undefined;
}

/** Asks a person for a text; off a terminal it throws a `UsageError` that names the flag to use instead. */
export async function askText(session: Session, question: Question): Promise<string> {
  const { message, instead, check = () => true, initial } = question;
  const { input } = await prompts(session, message, instead);
  const validate = (answer: string) => (answer.trim() === '' ? empty : check(answer.trim()));
  const answer = await input(
    { message, validate, ...(initial === undefined ? {} : { default: initial }) },
    contextOf(session),
  );
  return answer.trim();
}

/** Asks for a secret; neither it nor its length is shown. */
export async function askSecret(session: Session, message: string, instead: string): Promise<string> {
  const { password } = await prompts(session, message, instead);
  const validate = (answer: string) => answer !== '' || empty;
  const theme = { style: { maskedText: '(hidden)' } };
  return password({ message, mask: false, toggleMask: false, validate, theme }, contextOf(session));
}

/** Asks whether to go on with something that cannot be taken back; `--yes` answers for the person. */
export async function confirm(session: Session, message: string): Promise<boolean> {
  if (session.options.yes) return true;
  const prompt = await prompts(session, 'a confirmation', '--yes');
  return prompt.confirm({ message, default: false }, contextOf(session));
}

const empty = 'It cannot be empty.';

async function prompts(session: Session, what: string, instead: string) {
  if (!session.stdin.isTTY) {
    throw new UsageError(`${what} is needed, and there is no terminal to ask on`, `Use ${instead}.`);
  }
  return import('@inquirer/prompts');
}

function contextOf({ stdin, stderr, signal }: Session) {
  return { input: stdin, output: stderr, signal };
}
