import { quoteWord } from '../../text/shell-quote.ts';
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

/** The current command line with more options, quoted for a shell. They come before `--`, after which all words are operands. */
export function commandAgain({ args }: CommandContext, ...options: string[]): string {
  const at = args.indexOf('--');
  const end = at < 0 ? args.length : at;
  const words = [...args.slice(0, end), ...options, ...args.slice(end)];
  return ['tenant-users', ...words.map(quoteWord)].join(' ');
}
