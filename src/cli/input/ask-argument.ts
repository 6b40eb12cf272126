import { existsSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { quoteWord } from '../../text/shell-quote.ts';
import { openProfiles } from '../config/profiles.ts';
import type { CommandContext } from '../context/context.ts';
import { say } from '../output/show.ts';
import { commandPath } from './command-path.ts';
import { askChoice, askText } from './prompts.ts';

/** What there is to choose from, by the path of the command; other arguments are asked for by their description. */
const choicesOf: Record<string, (context: CommandContext) => Promise<readonly string[]>> = {
  'profiles use': async (context) => openProfiles(context).names,
  'profiles remove': async (context) => openProfiles(context).names,
  'recipe show': async () => (await import('../../migration/recipes/built-in.ts')).builtInNames,
};

/** Arguments that name something on disk. */
const paths: ReadonlySet<string> = new Set(['file', 'directory', 'directories', 'job', 'before', 'after']);

/** What is to be done with a file; the first is the one that cannot harm. */
const importSteps = [
  { value: '--dry-run', name: 'check the file, and send nothing' },
  { value: '--rehearse', name: 'rehearse the import in a temporary tenant on this machine' },
  { value: '', name: 'import: the API has no way back' },
];

/**
 * The command line with the next required argument that it lacks, as a person answers; `undefined` where there is nothing to
 * choose from. `program` is the tree that found it missing. Each round asks for one, so that a command runs with what a script
 * would have to write.
 */
export async function completeArguments(
  context: CommandContext,
  program: CommandUnknownOpts,
): Promise<string[] | undefined> {
  const command = named(program);
  const argument = command.registeredArguments[command.args.length];
  if (!argument) return undefined;
  const what = argument.description || argument.name();
  const message = what.charAt(0).toUpperCase() + what.slice(1);
  const instead = `an argument: ${argument.name()}`;
  const choices = argument.argChoices ?? (await choicesOf[commandPath(command)]?.(context));
  if (choices?.length === 0) return undefined;
  const check = (answer: string) =>
    !paths.has(argument.name()) ||
    answer === '-' ||
    existsSync(answer) ||
    'There is no such file or directory.';
  const [answer = ''] = choices
    ? await askChoice(context, {
        message,
        instead,
        choices: choices.map((value) => ({ value, name: value })),
      })
    : [await askText(context, { message, instead, check })];
  const completed = withWord(context.args, answer, await optionFor(context, command));
  say(context, `  tenant-users ${completed.map(quoteWord).join(' ')}`, 'dim');
  return completed;
}

/** The command of a command line that commander has begun to read. */
function named(program: CommandUnknownOpts): CommandUnknownOpts {
  const next = program.commands.find((command) => command.name() === program.args[0]);
  return next ? named(next) : program;
}

/** Who names a file alone has not said how far to go. */
async function optionFor(context: CommandContext, command: CommandUnknownOpts): Promise<string> {
  const { dryRun, rehearse }: { dryRun?: true; rehearse?: true } = command.opts();
  if (command.name() !== 'import-hashes' || dryRun || rehearse) return '';
  const [option = ''] = await askChoice(context, {
    message: 'What is to be done?',
    instead: '--dry-run or --rehearse',
    choices: importSteps,
  });
  return option;
}

/** A word that begins with a dash is an operand behind `--` only. */
function withWord(args: readonly string[], word: string, option: string): string[] {
  const end = args.indexOf('--');
  const options = option === '' ? [] : [option];
  if (end >= 0) return [...args.slice(0, end), ...options, ...args.slice(end), word];
  return [...args, ...options, ...(word.startsWith('-') && word !== '-' ? ['--'] : []), word];
}
