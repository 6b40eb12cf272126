import { Command } from '@commander-js/extra-typings';
import { reflow } from '../text/wrap-words.ts';
import { addApi } from './commands/api/api.ts';
import { addAppsCreate } from './commands/apps/create.ts';
import { addAppsList } from './commands/apps/list.ts';
import { addAppsRevoke } from './commands/apps/revoke.ts';
import { addAppsRotateSecret } from './commands/apps/rotate-secret.ts';
import { addAssess } from './commands/assess.ts';
import { addAudit } from './commands/audit.ts';
import { addComplete } from './commands/complete.ts';
import { addCompletion } from './commands/completion.ts';
import { addCutover } from './commands/cutover.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEvidence } from './commands/evidence/evidence.ts';
import { addExplain } from './commands/explain.ts';
import { addHashIdentify } from './commands/hash/identify.ts';
import { addHashVerify } from './commands/hash/verify.ts';
import { addImportHashes } from './commands/import-hashes/import-hashes.ts';
import { addJobPurge } from './commands/job/purge.ts';
import { addKeysList } from './commands/keys/list.ts';
import { addKeysReset } from './commands/keys/reset.ts';
import { addKeysRotate } from './commands/keys/rotate.ts';
import { addLog } from './commands/log.ts';
import { addLogin } from './commands/login.ts';
import { addLogout } from './commands/logout.ts';
import { addMcp } from './commands/mcp.ts';
import { addApply } from './commands/plan/apply.ts';
import { addCompare } from './commands/plan/compare.ts';
import { addPlan } from './commands/plan/plan.ts';
import { addUndo } from './commands/plan/undo.ts';
import { addProfilesList } from './commands/profiles/list.ts';
import { addProfilesRemove } from './commands/profiles/remove.ts';
import { addProfilesUse } from './commands/profiles/use.ts';
import { addRecipeCheck } from './commands/recipe/check.ts';
import { addRecipeList } from './commands/recipe/list.ts';
import { addRecipeMake } from './commands/recipe/make.ts';
import { addRecipeShow } from './commands/recipe/show.ts';
import { addRuns } from './commands/runs.ts';
import { addSchema } from './commands/schema.ts';
import { addServe } from './commands/serve.ts';
import { addSessionsEnd } from './commands/sessions/end.ts';
import { addSsoCheck } from './commands/sso/check.ts';
import { addSsoTicket } from './commands/sso/ticket.ts';
import { addSsoVerify } from './commands/sso/verify.ts';
import { addStatus } from './commands/status.ts';
import { addTemplate } from './commands/template.ts';
import { addTenantApply } from './commands/tenant/apply.ts';
import { addTenantCheck } from './commands/tenant/check.ts';
import { addTenantShow } from './commands/tenant/show.ts';
import { addUsersCreate } from './commands/users/create.ts';
import { addUsersDisable } from './commands/users/disable.ts';
import { addUsersEnsure } from './commands/users/ensure.ts';
import { addUsersGet } from './commands/users/get.ts';
import { addUsersList } from './commands/users/list.ts';
import { addUsersUpdate } from './commands/users/update.ts';
import type { CommandContext, GlobalOptions, Output } from './context/context.ts';
import { version } from './context/version.ts';
import { UnknownCommandError } from './errors/unknown-command.ts';
import { globalOptions } from './input/global-options.ts';
import { paintHelp, type StreamName, widthOf } from './output/styles.ts';

/** Adds a command, or several, to a parent. Only children made by `parent.command()` inherit how it exits. */
type Add = (parent: Command, context: CommandContext) => void;

const userCommands: readonly Add[] = [
  addUsersList,
  addUsersGet,
  addUsersCreate,
  addUsersUpdate,
  addUsersEnsure,
  addUsersDisable,
];

/**
 * Builds the command tree; the path of a command is the path of its file. For one command line, whose words are given,
 * the commands of groups that are not among them are left out: making them takes longer than all the rest.
 */
export function buildProgram(context: CommandContext, words?: readonly string[]): Command {
  const program = new Command('tenant-users')
    .description("Administer a tenant's users and migrate legacy password hashes")
    .version(version)
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
  program.hook('preAction', (_program, command) => {
    const options = program.opts() as GlobalOptions & { local?: string | true };
    context.options = options.local === '' ? { ...options, local: true } : options;
    // A promise would let the action begin a turn later, for most commands without a need.
    const { output, outputFile, columns } = options;
    return output || outputFile || columns ? prepareOutput(context, pathOf(command)) : undefined;
  });

  // Completion and the tree tell of all of them.
  const isWhole = words === undefined || words.includes('complete') || words.includes('--tree');
  const addGroup = (name: string, description: string, adds: readonly Add[]) => {
    const group = program.command(name).description(description);
    if (isWhole || words.includes(name)) for (const add of adds) add(group, context);
    refuseUnknown(group, name);
  };
  refuseUnknown(program, '');

  addLogin(program, context);
  addLogout(program, context);
  addStatus(program, context);
  addDoctor(program, context);
  addGroup('profiles', 'Manage profiles for several tenants', [
    addProfilesList,
    addProfilesUse,
    addProfilesRemove,
  ]);
  for (const add of userCommands) add(program, context);
  addAssess(program, context);
  addTemplate(program, context);
  addImportHashes(program, context);
  addPlan(program, context);
  addApply(program, context);
  addCompare(program, context);
  addCutover(program, context);
  addUndo(program, context);
  addRuns(program, context);
  addLog(program, context);
  addEvidence(program, context);
  addGroup('job', 'Records of a job', [addJobPurge]);
  addGroup('users', 'List, find, create, update and disable users', userCommands);
  addGroup('sso', 'Single sign-on tickets', [addSsoVerify, addSsoTicket, addSsoCheck]);
  addApi(program, context);
  addServe(program, context);
  addMcp(program, context);
  addAudit(program, context);
  addGroup('tenant', 'Tenant definitions of the local service', [
    addTenantShow,
    addTenantCheck,
    addTenantApply,
  ]);
  addGroup('apps', 'Applications of the local service', [
    addAppsList,
    addAppsCreate,
    addAppsRotateSecret,
    addAppsRevoke,
  ]);
  addGroup('sessions', 'Sessions of the local service', [addSessionsEnd]);
  addGroup('keys', 'Keys of the local service that sign id tokens', [
    addKeysList,
    addKeysRotate,
    addKeysReset,
  ]);
  addGroup('hash', 'Identify and verify legacy password hashes, offline', [addHashIdentify, addHashVerify]);
  addGroup('recipe', 'Recipes: how records of older systems become users', [
    addRecipeList,
    addRecipeShow,
    addRecipeMake,
    addRecipeCheck,
  ]);
  addExplain(program, context);
  addSchema(program, context);
  addCompletion(program, context);
  addComplete(program, context);
  program.addHelpText('after', firstSteps);
  program.addHelpText('afterAll', ({ command }) => (command.parent ? aboutGlobalOptions : ''));
  return program;
}

/** Commander would suggest any similar name, `disable` for `enable` too. */
function refuseUnknown(command: Command, group: string): void {
  command.on('command:*', ([word = '']: string[]) => {
    throw new UnknownCommandError(
      word,
      group,
      command.commands.map((known) => known.name()),
    );
  });
}

async function prepareOutput(context: CommandContext, path: string): Promise<void> {
  const { checkOutputOptions } = await import('./schemas/output-options.ts');
  await checkOutputOptions(context, path);
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

interface Named {
  name(): string;
  parent: Named | null;
}

/** Names of a command and its parents, without the program's. */
function pathOf(command: Named): string {
  if (!command.parent?.parent) return command.name();
  return `${pathOf(command.parent)} ${command.name()}`;
}

const firstSteps = `
Examples:
  $ tenant-users login                               once; prompts for the rest
  $ tenant-users list
  $ tenant-users get --by-email ann@example.com --json
  $ tenant-users import-hashes legacy.csv --dry-run  checks, sends nothing
  $ tenant-users list --local                        without a tenant

In scripts, set TENANT_USERS_BASE_URL, _CLIENT_ID and _CLIENT_SECRET instead of logging in. Every
command has its own examples: tenant-users COMMAND --help. Exit codes: tenant-users explain 7`;

const aboutGlobalOptions = '\nGlobal options, such as --profile, --json and --columns: tenant-users --help';

function writeHelp(context: CommandContext, stream: StreamName, text: string): void {
  const output = context[stream];
  output.write(paintHelp(context, stream, reflow(text, helpWidth(output))));
}

/** Long lines are hard to read: help has at most a hundred characters in one, as wide as the terminal may be. */
function helpWidth(output: Output): number {
  return Math.min(widthOf(output), 100);
}
