import { existsSync } from 'node:fs';
import { Command, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';
import { isRecord } from '../contract/is-record.ts';
import { reflow } from '../text/wrap-words.ts';
import { ownVariables } from './config/variables.ts';
import { commandPath, givenOptions, parentsOf, pathsOf } from './context/command-line.ts';
import { type CommandContext, canAsk, type GlobalOptions, type Output } from './context/context.ts';
import { version } from './context/version.ts';
import { ConfigurationError, UsageError } from './errors/errors.ts';
import { unknownCommand } from './errors/unknown-command.ts';
import { type CommandGroup, commandsByHeading, firstWords } from './first-words.ts';
import { globalOptions } from './input/global-options.ts';
import { paintHelp, type StreamName, widthOf } from './output/styles.ts';

/**
 * Builds the command tree. If the words of a command line are given, builds only the commands whose first words are among them,
 * because building all takes longer than everything else.
 */
export function buildProgram(context: CommandContext, words?: readonly string[]): Command {
  const program = new Command('tenant-users')
    .description('Administer the users of a tenant, and import users with their password hashes')
    .exitOverride()
    // Options and arguments of a subcommand are in its own help.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => writeHelp(context, 'stdout', text),
      // With --json, stderr has a single line: the error.
      writeErr: (text) => context.options.json || writeHelp(context, 'stderr', text),
      getOutHelpWidth: () => helpWidth(context.stdout),
      getErrHelpWidth: () => helpWidth(context.stderr),
      // Colors are not decided here, but in `writeHelp`.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
      outputError: () => {},
    })
    .showSuggestionAfterError();
  for (const option of globalOptions) program.addOption(option);
  program.version(version);
  program.hook('preAction', (_program, command) => {
    context.onCommand?.(commandPath(command));
    context.options = program.opts() as GlobalOptions;
    context.paths = pathsOf(command);
    refuseTwoTenants(context.options, command);
    refuseOptionsOfParents(command);
    refuseEmpty(command, context);
    // Returns a promise only if needed: it makes the action start a turn later.
    const { output, outputFile, columns } = context.options;
    return output || outputFile || columns ? prepareOutput(context, command) : undefined;
  });

  const wanted = wantedOf(words);
  for (const [heading, commands] of Object.entries(commandsByHeading)) {
    program.commandsGroup(`${heading}:`);
    for (const [name, command] of Object.entries(commands)) {
      if (!wanted.includes(name)) continue;
      if (typeof command === 'function') command()(program, context);
      else addGroup(program, context, name, command);
    }
  }
  refuseUnknown(program, '', firstWords);
  refuseMisread(program, words);
  program.addHelpText('after', firstSteps);
  program.addHelpText('afterAll', ({ command }) => (command.parent ? aboutGlobalOptions : ''));
  return program;
}

/** The first words to build commands for: all if none is known, or if help, completion or the tree needs all of them. */
function wantedOf(words: readonly string[] | undefined): readonly string[] {
  const tellsOfAll = ['help', '--help', '-h', 'complete', '--tree'];
  const known = words?.filter((word) => firstWords.includes(word)) ?? [];
  if (known.length === 0 || words?.some((word) => tellsOfAll.includes(word))) return firstWords;
  return firstWords.filter((name) => known.includes(name));
}

function addGroup(
  program: Command,
  context: CommandContext,
  name: string,
  { description, adds }: CommandGroup,
): void {
  const group = program.command(name).description(description);
  for (const add of adds()) add(group, context);
  refuseUnknown(
    group,
    name,
    group.commands.map((command) => command.name()),
  );
}

/** Throws our own error for an unknown command. Commander would suggest any similar name, such as `disable` for `enable`. */
function refuseUnknown(command: Command, group: string, known: readonly string[]): void {
  command.on('command:*', ([word = '']: string[]) => {
    throw unknownCommand(word, group, known);
  });
}

/**
 * Throws a `UsageError` for a given option that only a parent of the command has: commander accepts it in any place, and the command
 * would ignore it.
 */
function refuseOptionsOfParents(command: CommandUnknownOpts): void {
  const own = new Set(command.options.map((option) => option.attributeName()));
  for (const group of parentsOf(command)) {
    // The options of the program are those of every command.
    if (!group.parent) return;
    const other = givenOptions(group).find((option) => !own.has(option.attributeName()));
    if (other) {
      throw new UsageError(
        `${other.long} is an option of ${commandPath(group)}, not of ${commandPath(command)}`,
        `Leave it out. Add --help to see the options of ${commandPath(command)}.`,
      );
    }
  }
}

/** Throws a `UsageError` for `--profile` with `--local`, except in `login`, which stores the one under the name of the other. */
function refuseTwoTenants({ profile, local }: GlobalOptions, command: CommandUnknownOpts): void {
  if (profile === undefined || local === undefined || commandPath(command) === 'login') return;
  throw new UsageError('--profile and --local cannot be used together', 'Use only one of them.');
}

/** True for what an unset shell variable leaves: nothing, also between spaces or before a line end. */
const isBlank = (value: unknown) => typeof value === 'string' && /^[ \r\n]*$/.test(value);

/**
 * Throws a `UsageError` for an empty argument and for an option with an empty value, also one of the parents, which may parse it.
 * Spaces alone count as empty, except for an attribute (`<value>`). Only words that are completed can be empty.
 * Throws a `ConfigurationError` for a variable of ours that is empty: without it, a script would go to another tenant.
 */
function refuseEmpty(command: CommandUnknownOpts, { env }: CommandContext): void {
  if (command.name() === 'complete') return;
  const variable = ownVariables.find((name) => isBlank(env[name]));
  if (variable !== undefined) {
    throw new ConfigurationError(
      `${variable} is empty: is a shell variable unset?`,
      'Give it a value, or unset it.',
    );
  }
  const named = [command, ...parentsOf(command)].flatMap((level) =>
    givenOptions(level).flatMap((option) => {
      const value: unknown = level.getOptionValue(option.attributeName());
      if (isRecord(value))
        return Object.keys(value).flatMap((key) => (value[key] === '' ? [`${option.long} ${key}`] : []));
      const isEmpty = option.flags.endsWith(' <value>') ? (one: unknown) => one === '' : isBlank;
      return [value].flat().some(isEmpty) ? [option.long] : [];
    }),
  );
  const [empty] = command.args.some(isBlank) ? ['an argument'] : named;
  if (empty === undefined) return;
  const canClear = command.options.some(({ long }) => long === '--unset');
  throw new UsageError(
    `${empty} is empty: is a shell variable unset?`,
    canClear ? 'Give a value. To clear an attribute, use --unset.' : 'Give a value, or leave it out.',
  );
}

async function prepareOutput(context: CommandContext, command: CommandUnknownOpts): Promise<void> {
  const { checkOutputOptions } = await import('./schemas/output-options.ts');
  await checkOutputOptions(context, commandPath(command), command.opts());
  const { outputFile } = context.options;
  if (outputFile === undefined) return;
  const { importedFiles, openResultFile } = await import('./output/result-file.ts');
  const imported = await importedFiles(context, outputFile);
  // A file opened after an interruption would never be closed.
  context.signal.throwIfAborted();
  const file = openResultFile(context, outputFile, imported);
  context.resultFile = file;
  context.onExit(async () => file.discard());
  if (canAsk(context) && existsSync(outputFile)) {
    const { requireYes } = await import('./input/prompts.ts');
    await requireYes(context, `Replace ${outputFile}?`, 'nothing was done');
  }
  // Defined instead of assigned: the stdout of the process is a getter without a setter.
  Object.defineProperty(context, 'stdout', { value: file.output });
}

const firstSteps = `
Examples:
  $ tenant-users login                               once; prompts for the rest
  $ tenant-users list
  $ tenant-users get --by-email ann@example.com --json
  $ tenant-users import-hashes legacy.csv --dry-run  checks, sends nothing
  $ tenant-users list --local                        without a tenant

In scripts, set TENANT_USERS_BASE_URL, _CLIENT_ID and _CLIENT_SECRET instead of logging in. Every
command has its own examples: tenant-users COMMAND --help. Topics: tenant-users help environment`;

const aboutGlobalOptions = '\nGlobal options, such as --profile, --json and --columns: tenant-users --help';

function writeHelp(context: CommandContext, stream: StreamName, text: string): void {
  const output = context[stream];
  output.write(paintHelp(context, stream, reflow(text, helpWidth(output))));
}

/** Width of help in characters: at most 100, even on a wider terminal, because long lines are hard to read. */
function helpWidth(output: Output): number {
  return Math.min(widthOf(output), 100);
}

/**
 * Makes a command and its subcommands throw a `UsageError` where commander would misread the line: for an option where a value
 * belongs (`--profile --json`, but not `--profile=--json`), and for a second use of an option whose value would replace the first.
 * Of the options of the program, only those that select the tenant are refused the second time: a shell alias may set a format
 * that a line replaces.
 */
function refuseMisread(
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
