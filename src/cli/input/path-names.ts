import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { parentsOf } from '../context/command-line.ts';

/** Names that an argument or the value of an option has in the help if it is the path of a file or a directory. */
export const pathNames: ReadonlySet<string> = new Set([
  'file',
  'directory',
  'directories',
  'database',
  'job',
  'before',
  'after',
  'key',
  'recipe',
]);

/** Returns the name of the value of an option in the help; empty if it has none. */
export function valueNameOf({ flags }: Option): string {
  return /[<[]([^\]>]+?)(?:\.\.\.)?[\]>]/.exec(flags)?.[1] ?? '';
}

/** Returns the paths in the command line of a command: its arguments and values of options that are files or directories. */
export function pathsOf(command: CommandUnknownOpts): string[] {
  const args = command.registeredArguments.flatMap((argument, at) =>
    pathNames.has(argument.name()) ? command.args.slice(at, argument.variadic ? undefined : at + 1) : [],
  );
  const values = [command, ...parentsOf(command)].flatMap((level) =>
    level.options
      .filter((option) => pathNames.has(valueNameOf(option)))
      .flatMap((option): unknown => level.getOptionValue(option.attributeName())),
  );
  return [...args, ...values.filter((value) => typeof value === 'string')];
}
