import { quoteWord, withOptions } from '../../text/shell-quote.ts';
import type { CommandContext } from '../context/context.ts';

interface Named {
  name(): string;
  parent: Named | null;
}

/** Names of a command and its parents, without the program's name: `profiles use`. */
export function commandPath(command: Named): string {
  if (!command.parent?.parent) return command.name();
  return `${commandPath(command.parent)} ${command.name()}`;
}

/** The current command line with more options, quoted for a shell. */
export function commandAgain({ args }: CommandContext, ...options: string[]): string {
  return ['tenant-users', ...withOptions(args, options).map(quoteWord)].join(' ');
}
