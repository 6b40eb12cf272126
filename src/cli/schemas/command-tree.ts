import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { ownFiles, plain, variables } from '../config/variables.ts';
import { type ExitName, exitCodes } from '../errors/exit-codes.ts';
import { exitExplanations } from '../errors/explain/exit-explanations.ts';
import { commandShapes } from './command-shapes.ts';
import type { Shapes, Silent } from './shapes.ts';

/** The whole program as one document, for programs that drive it, and for the manual page. */
export function commandTree(program: CommandUnknownOpts) {
  const short = program.commands.find((command) => command.name() === 'users')?.commands ?? [];
  const isShort = ({ parent }: CommandUnknownOpts, name: string) =>
    parent === program && short.some((command) => command.name() === name);
  const commands = [...leavesOf(program)].filter(({ command }) => !isShort(command, command.name()));
  return {
    name: program.name(),
    version: program.version() ?? '',
    description: program.description(),
    global_options: optionsOf(program),
    exit_codes: (Object.keys(exitCodes) as ExitName[]).map((name) => ({
      code: exitCodes[name],
      meaning: exitExplanations[name].message,
    })),
    environment: variables.map(({ names, meaning }) => ({ names, meaning: plain(meaning) })),
    files: ownFiles.map(({ what, where }) => ({ what: plain(what), where: plain(where) })),
    commands: commands.map(({ command, path }) => ({
      path,
      ...(path.startsWith('users ') ? { short: command.name() } : {}),
      description: command.description(),
      usage: `${program.name()} ${path} ${command.usage()}`,
      arguments: command.registeredArguments.map(describeArgument),
      options: optionsOf(command),
      ...afterHelp(command),
      output: outputOf(path),
    })),
  };
}

function* leavesOf(
  parent: CommandUnknownOpts,
  before = '',
): Generator<{ command: CommandUnknownOpts; path: string }, void> {
  const visible = parent.createHelp().visibleCommands(parent);
  for (const command of parent.commands) {
    if (!visible.includes(command)) continue;
    const path = before + command.name();
    if (command.commands.length === 0 || command.registeredArguments.length > 0) yield { command, path };
    yield* leavesOf(command, `${path} `);
  }
}

function describeArgument(argument: Argument) {
  return {
    name: argument.name(),
    description: argument.description,
    ...(argument.required ? { required: true } : {}),
    ...(argument.variadic ? { several: true } : {}),
    ...(argument.argChoices ? { choices: argument.argChoices } : {}),
  };
}

function optionsOf(command: CommandUnknownOpts) {
  const shown = command.createHelp().visibleOptions(command);
  return shown.filter(({ long }) => long !== '--help').map(describeOption);
}

function describeOption(option: Option) {
  const { flags, description, argChoices, defaultValue } = option;
  return {
    flags,
    description,
    ...(argChoices ? { choices: argChoices } : {}),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
  };
}

/** The notes and examples that follow the lists in the help of a command. */
function afterHelp(command: CommandUnknownOpts) {
  let text = '';
  command.configureOutput({
    writeOut(written) {
      text += written;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  const after = text.slice(command.helpInformation().length).replace(/^Global options, such as .*$/m, '');
  const [notes = '', ...rest] = after.split(/^Examples?:$/m);
  const examples = rest
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('  $ '));
  return { notes: notes.trim(), examples: examples.map((line) => line.slice(4)) };
}

/** What a command writes to stdout with `--json`, and the command that prints its schema; or why it writes no JSON. */
function outputOf(path: string) {
  const entry = new Map<string, Shapes | Silent>(Object.entries(commandShapes)).get(path);
  if (!entry) return { json: null };
  return 'silent' in entry
    ? { json: null, why: entry.silent }
    : { json: entry.title, schema: `schema ${path}` };
}
