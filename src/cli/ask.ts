import { UsageError } from './failures.ts';
import type { Session } from './world.ts';

/** Asks a person for a text; off a terminal it throws a `UsageError` that names the flag to use instead. */
export async function askText(session: Session, message: string, instead: string): Promise<string> {
  const { input } = await prompts(session, message, instead);
  return input({ message, required: true }, contextOf(session));
}

/** Asks for a secret without showing it. */
export async function askSecret(session: Session, message: string, instead: string): Promise<string> {
  const { password } = await prompts(session, message, instead);
  const validate = (value: string) => value !== '' || 'It cannot be empty.';
  return password({ message, mask: false, validate }, contextOf(session));
}

/** Asks whether to go on with something that cannot be taken back; `--yes` answers for the person. */
export async function confirm(session: Session, message: string): Promise<boolean> {
  if (session.options.yes) return true;
  const prompt = await prompts(session, 'a confirmation', '--yes');
  return prompt.confirm({ message, default: false }, contextOf(session));
}

async function prompts(session: Session, what: string, instead: string) {
  if (!session.stdin.isTTY) {
    throw new UsageError(`${what} is needed, and there is no terminal to ask on`, `Use ${instead}.`);
  }
  return import('@inquirer/prompts');
}

function contextOf({ stdin, stderr, signal }: Session) {
  return { input: stdin, output: stderr, signal };
}
