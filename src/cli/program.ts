import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { reflow } from '../text/wrap-words.ts';
import type { CommandContext, GlobalOptions, Output } from './context/context.ts';
import { version } from './context/version.ts';
import { UnknownCommandError } from './errors/unknown-command.ts';
import { type CommandGroup, commandsByHeading, firstWords } from './first-words.ts';
import { commandPath } from './input/command-path.ts';
import { globalOptions } from './input/global-options.ts';
import { paintHelp, type StreamName, widthOf } from './output/styles.ts';

/**
 * Builds the command tree; the path of a command is the path of its file. For one command line, whose words are given,
 * the commands that are not among them are left out: making them takes longer than all the rest.
 */
export function buildProgram(context: CommandContext, words?: readonly string[]): Command {
  const program = new Command('tenant-users')
    .description("Administer a tenant's users and migrate legacy password hashes")
    .exitOverride()
    // Options and arguments of a subcommand are in its own help.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => writeHelp(context, 'stdout', text),
      // With --json stderr has one line, that of the error.
      writeErr: (text) => context.options.json || writeHelp(context, 'stderr', text),
      getOutHelpWidth: () => helpWidth(context.stdout),
      getErrHelpWidth: () => helpWidth(context.stderr),
      // Coloured when it is written.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
      outputError: () => {},
    })
    .showSuggestionAfterError();
  for (const option of globalOptions) program.addOption(option);
  program.version(version);
  program.hook('preAction', (_program, command) => {
    context.onCommand?.(commandPath(command));
    const options = program.opts() as GlobalOptions & { local?: string | true };
    context.options = options.local === '' ? { ...options, local: true } : options;
    // A promise would let the action begin a turn later, for most commands without a need.
    const { output, outputFile, columns } = options;
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
  program.addHelpText('after', firstSteps);
  program.addHelpText('afterAll', ({ command }) => (command.parent ? aboutGlobalOptions : ''));
  return program;
}

/** The first words whose commands a command line may mean: all, where help, completion and the tree tell of all, or none is known. */
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

/** Commander would suggest any similar name, `disable` for `enable` too. */
function refuseUnknown(command: Command, group: string, known: readonly string[]): void {
  command.on('command:*', ([word = '']: string[]) => {
    throw new UnknownCommandError(word, group, known);
  });
}

async function prepareOutput(context: CommandContext, command: CommandUnknownOpts): Promise<void> {
  const { checkOutputOptions } = await import('./schemas/output-options.ts');
  await checkOutputOptions(context, commandPath(command), command.opts());
  const { outputFile } = context.options;
  if (outputFile === undefined) return;
  const { openResultFile } = await import('./output/result-file.ts');
  // What is opened later nobody would close.
  context.signal.throwIfAborted();
  const file = openResultFile(outputFile);
  context.resultFile = file;
  context.onExit(async () => file.discard());
  // What the process has is a getter without a setter.
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

/** Long lines are hard to read: help has at most a hundred characters in one, as wide as the terminal may be. */
function helpWidth(output: Output): number {
  return Math.min(widthOf(output), 100);
}
