import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { UsageError } from '../errors/errors.ts';

/**
 * Makes a command and its subcommands throw a `UsageError` where commander would misread the line: for an option where a value
 * belongs (`--profile --json`, but not `--profile=--json`), and for a second use of an option whose value would replace the first.
 * Of the options of the program, only those that select the tenant are refused the second time: a shell alias may set a format
 * that a line replaces.
 */
export function refuseMisread(
  command: CommandUnknownOpts,
  args: readonly string[] = [],
  inherited: readonly Option[] = [],
): void {
  const known = [...inherited, ...command.options];
  for (const option of command.options) {
    const isOnce = hasOneValue(option) && (command.parent || option.helpGroupHeading === 'Tenant:');
    let isUsed = false;
    command.on(`option:${option.name()}`, (value: unknown) => {
      const [flag] = typeof value === 'string' ? value.split('=', 1) : [];
      const isJoined = args.includes(`${option.long}=${value}`);
      if (option.required && !isJoined && known.some(({ long }) => long === flag))
        throw new UsageError(
          `${option.long} requires a value`,
          `Write: ${option.flags.replace(/^-\w, /, '')}`,
        );
      if (isUsed && isOnce)
        throw new UsageError(`${option.long} is given more than once`, 'Give it once: which value is meant?');
      isUsed = true;
    });
  }
  for (const child of command.commands) refuseMisread(child, args, known);
}

/** True for an option with a value, unless its parser adds to earlier uses: such a parser has a second parameter. */
function hasOneValue({ required, optional, parseArg, argChoices }: Option): boolean {
  const isAdding = argChoices === undefined && (parseArg?.length ?? 0) > 1;
  return (required || optional) && !isAdding;
}
