import type { Command } from '@commander-js/extra-typings';
import type { NewUser } from '../../../contract/wire.ts';
import { connect } from '../../connection/connect.ts';
import { sayTarget } from '../../connection/target-tenant.ts';
import type { CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { secretOption } from '../../input/option-parsers.ts';
import { askSecret } from '../../input/prompts.ts';
import { readSecret } from '../../input/read-input.ts';
import { say, show } from '../../output/show.ts';
import { addAttributeOptions, attributesOf, creatable, mergeValues, readData } from './attribute-input.ts';
import { addBulkOptions, runBulk } from './bulk.ts';
import { userReference } from './show-user.ts';

interface PasswordOptions {
  passwordStdin?: true;
  passwordFile?: string;
  passwordPrompt?: true;
}

/** tenant-users users create */
export function addUsersCreate(parent: Command, context: CommandContext): void {
  const command = parent
    .command('create')
    .description('Create a user')
    .option('--data <file>', 'read attributes from a JSON file (- for standard input); flags take precedence')
    .option('--password-stdin', 'read the password from standard input')
    .option('--password-file <file>', 'read the password from a file')
    .option('--password-prompt', 'prompt for the password')
    .addOption(
      secretOption('--password', 'a password', '--password-prompt, --password-file or --password-stdin'),
    )
    .option('--no-must-modify', 'do not require a password change at the next login')
    .addHelpText(
      'after',
      `
Examples:
  $ tenant-users create --user-name ann --email ann@example.com --password-prompt
  $ tenant-users create --data ann.json --extension age=42 --no-must-modify
  $ tenant-users create --csv newcomers.csv`,
    );
  addAttributeOptions(command, creatable);
  addBulkOptions(command);
  // The general message counts arguments, which does not help whoever names the user without an option.
  command.allowExcessArguments();
  command.action(async (options) => {
    if (command.args.length > 0) {
      throw new UsageError(
        'create takes no arguments',
        'Name each attribute with its option, such as --user-name.',
      );
    }
    const isOne = [
      Object.keys(attributesOf(command)).length > 0 && 'an attribute',
      options.data !== undefined && '--data',
      (options.passwordStdin || options.passwordPrompt || options.passwordFile !== undefined) && 'a password',
      !options.mustModify && '--no-must-modify',
    ];
    if (await runBulk(context, 'create', command, isOne)) return;
    const known = [...creatable, 'extension', 'pwd_must_modify'];
    const data = await readData(context, options.data, known);
    const named = attributesOf(command);
    if (Object.keys({ ...data, ...named }).length === 0) {
      throw new UsageError('no attributes given', 'Specify at least one, such as --user-name.');
    }
    const pwd = await passwordOf(context, options);
    sayTarget(context);
    const client = await connect(context);
    const user: NewUser = {
      ...mergeValues(data, named),
      ...(options.mustModify ? {} : { pwd_must_modify: false }),
      ...(pwd === undefined ? {} : { pwd }),
    };
    const created = await client.createUser(user);
    await show(context, userReference(created));
    say(context, pwd === undefined ? 'Created without a password' : 'Created');
  });
}

async function passwordOf(context: CommandContext, options: PasswordOptions): Promise<string | undefined> {
  const { passwordStdin, passwordFile, passwordPrompt } = options;
  if ([passwordStdin, passwordFile, passwordPrompt].filter(Boolean).length > 1) {
    throw new UsageError(
      '--password-stdin, --password-file and --password-prompt cannot be used together',
      'Use only one of them.',
    );
  }
  if (passwordStdin) return readSecret(context, '-', 'password');
  if (passwordFile !== undefined) return readSecret(context, passwordFile, 'password');
  return passwordPrompt ? askNewPassword(context) : undefined;
}

/** Nobody would know a password that was mistyped. */
async function askNewPassword(context: CommandContext): Promise<string> {
  const instead = '--password-stdin or --password-file';
  const password = await askSecret(context, 'Password', instead);
  const isSame = (answer: string) => answer === password || 'It is not the same password.';
  return askSecret(context, 'The same password again', instead, isSame);
}
