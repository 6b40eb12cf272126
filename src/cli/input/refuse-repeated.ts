import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { UsageError } from '../errors/errors.ts';

/**
 * Makes a command and its subcommands throw a `UsageError` for a second use of an option whose value would replace the first.
 * Of the options of the program, only those that select the tenant do: a shell alias may set a format that a line replaces.
 */
export function refuseRepeated(command: CommandUnknownOpts): void {
  for (const option of command.options.filter(hasOneValue)) {
    if (!command.parent && option.helpGroupHeading !== 'Tenant:') continue;
    let isUsed = false;
    command.on(`option:${option.name()}`, () => {
      if (isUsed)
        throw new UsageError(`${option.long} is given more than once`, 'Give it once: which value is meant?');
      isUsed = true;
    });
  }
  for (const child of command.commands) refuseRepeated(child);
}

/** True for an option with a value, unless its parser adds to earlier uses: such a parser has a second parameter. */
function hasOneValue({ required, optional, parseArg, argChoices }: Option): boolean {
  const isAdding = argChoices === undefined && (parseArg?.length ?? 0) > 1;
  return (required || optional) && !isAdding;
}
