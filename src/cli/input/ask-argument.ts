import { existsSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { quoteWord, withOptions } from '../../text/shell-quote.ts';
import { openProfiles } from '../config/profiles.ts';
import { commandPath, pathNames } from '../context/command-line.ts';
import type { CommandContext } from '../context/context.ts';
import { say } from '../output/show.ts';
import { askChoice, askText } from './prompts.ts';

/** Choices for the argument of a command, by its path. Other arguments are asked for as text. */
const choicesOf: Record<string, (context: CommandContext) => Promise<readonly string[]>> = {
  'profiles use': async (context) => openProfiles(context).names,
  'profiles remove': async (context) => openProfiles(context).names,
  'recipe show': async () => (await import('../../migration/recipes/built-in.ts')).builtInNames,
};

/** What to do with a file. The harmless choice comes first. */
const importSteps = [
  { value: '--dry-run', name: 'check the file, and send nothing' },
  { value: '--rehearse', name: 'rehearse the import in a temporary tenant on this machine' },
  { value: '', name: 'import for real: this cannot be undone' },
];

/**
 * Asks a person for the next missing argument, and returns the completed command line; `undefined` if there is nothing
 * to choose from. `program`: the tree that found the argument missing. Asks for one argument per call, so that the
 * command runs with exactly what a script would have to write.
 */
export async function completeArguments(context: CommandContext, program: CommandUnknownOpts) {
  const command = named(program);
  const argument = command.registeredArguments[command.args.length];
  if (!argument) return undefined;
  const what = argument.description || argument.name();
  const message = what.charAt(0).toUpperCase() + what.slice(1);
  const instead = `an argument: ${argument.name()}`;
  const choices = argument.argChoices ?? (await choicesOf[commandPath(command)]?.(context));
  if (choices?.length === 0) return undefined;
  const check = (answer: string) =>
    !pathNames.has(argument.name()) ||
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

/** Finds the command that is named by the words that commander has parsed. */
function named(program: CommandUnknownOpts): CommandUnknownOpts {
  const next = program.commands.find((command) => command.name() === program.args[0]);
  return next ? named(next) : program;
}

/** Asks how far an import is to go, if only its file is given. Returns an option; an empty text for the import itself. */
async function optionFor(context: CommandContext, command: CommandUnknownOpts): Promise<string> {
  const { dryRun, rehearse }: { dryRun?: true; rehearse?: true } = command.opts();
  if (command.name() !== 'import-hashes' || dryRun || rehearse) return '';
  const [option = ''] = await askChoice(context, {
    message: 'What do you want to do?',
    instead: '--dry-run or --rehearse',
    choices: importSteps,
  });
  return option;
}

/**
 * Adds an argument and an option to a command line. A word that begins with a dash is an argument only after `--`, and so is
 * a word after an option, which could take it as its value.
 */
function withWord(args: readonly string[], word: string, option: string): string[] {
  const isAfterOption = option === '' && args.at(-1)?.startsWith('-');
  const needsEnd = !args.includes('--') && (isAfterOption || (word.startsWith('-') && word !== '-'));
  return [...withOptions(args, option === '' ? [] : [option]), ...(needsEnd ? ['--'] : []), word];
}
