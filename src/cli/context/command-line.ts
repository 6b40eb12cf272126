import { resolve } from 'node:path';
import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { acceptedOnce, type CommandLine } from '../../migration/model/job.ts';
import { quoteWord, takeOptions, withOptions } from '../../text/shell-quote.ts';
import { connectionArguments } from './connection-options.ts';
import { type CommandContext, canAsk, zoneOf } from './context.ts';

/** The command of which this one is a part, and so on up to the program. */
export function parentsOf({ parent }: CommandUnknownOpts): CommandUnknownOpts[] {
  return parent ? [parent, ...parentsOf(parent)] : [];
}

/** Names of a command and its parents, without the program's name: `profiles use`. */
export function commandPath(command: CommandUnknownOpts): string {
  if (!command.parent?.parent) return command.name();
  return `${commandPath(command.parent)} ${command.name()}`;
}

/** The options of a command that its command line contains. */
export function givenOptions(command: CommandUnknownOpts): Option[] {
  return command.options.filter((one) => command.getOptionValueSource(one.attributeName()) === 'cli');
}

/**
 * The words of the current command line. A window names its time zone, and an option the file of standard input: the command may be
 * given again where these are others.
 */
function wordsAgain(context: CommandContext): string[] {
  const { args, stdinFile: file } = context;
  const words = args.map((word) =>
    file !== undefined && word.endsWith('=-') ? word.slice(0, -1) + file : word,
  );
  const { kept, taken } = takeOptions(words, { '--window': true });
  const windows = taken.map((words) => words.join('='));
  return withOptions(
    kept,
    windows.flatMap((text) => (text.includes('@') ? text : `${text}@${zoneOf(context)}`).split('=')),
  );
}

/** The current command line with more options, quoted for a shell. */
export function commandAgain(context: CommandContext, ...options: string[]): string {
  return ['tenant-users', ...withOptions(wordsAgain(context), options).map(quoteWord)].join(' ');
}

/** The words of these options in the current command line. Each of them has a value. */
export function wordsOf({ args }: CommandContext, names: readonly string[]): string[] {
  const options = Object.fromEntries(names.map((name) => [name, true]));
  return takeOptions(args, options).taken.flat();
}

/** Options that are for one run or one command only, and whether a value follows. */
const ofOneRun: Readonly<Record<string, boolean>> = {
  '--dry-run': false,
  '--live': false,
  '--rehearse': false,
  '--tenant': true,
  '--restart': false,
  '--only': true,
  '--report': true,
  '--yes': false,
  '-y': false,
};

/** The command line of an import, in the parts that later commands are built from. */
export function commandLineOf(context: CommandContext): CommandLine {
  const { kept, taken } = takeOptions(wordsAgain(context), { ...ofOneRun, '--accept': true });
  const accepted = taken.filter((words) => {
    const option = words.join('=');
    return option.startsWith('--accept=') && option !== `--accept=${acceptedOnce}`;
  });
  const rehearsal = taken.filter(([word]) => word?.split('=', 1)[0] === '--tenant').flat();
  const isScript = context.options.yes === true || !canAsk(context);
  return {
    words: withOptions(kept, accepted.flat()).map(quoteWord),
    isRestart: taken.some(([word]) => word === '--restart'),
    isAsking: taken.some((words) => words.join('=') === '--only=unanswered'),
    from: resolve(''),
    rehearsal: rehearsal.map(quoteWord),
    connection: connectionArguments(context).map(quoteWord),
    consent: isScript ? ['--yes'] : [],
  };
}

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
