import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { NewUser } from '../../../contract/wire.ts';
import type { CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { passwordStdinOption } from '../../input/option-parsers.ts';
import { readSecretOption } from '../../input/read-input.ts';
import { secretOption } from '../../input/refused-options.ts';
import { askNewPassword } from './ask-user.ts';
import { addAttributeOptions, attributesOf, creatable, mergeValues, readData } from './attribute-input.ts';

/** Fields that `--data` of a new user can have. */
const newUserFields: readonly string[] = [...creatable, 'extension', 'pwd_must_modify'];

/** Adds every option of a new user to a command: the attributes, and the password. */
export function addNewUserOptions(command: CommandUnknownOpts): void {
  command
    .optionsGroup('Password:')
    .addOption(passwordStdinOption())
    .option('--password-file <file>', 'read the password from a file')
    .addOption(
      new Option('--password-prompt', 'prompt for the password').conflicts(['passwordStdin', 'passwordFile']),
    )
    .addOption(
      secretOption('--password', 'a password', '--password-prompt, --password-file or --password-stdin'),
    )
    .option('--no-must-modify', 'do not require a password change at the next login');
  command
    .optionsGroup('Attributes:')
    .option(
      '--data <file>',
      'read attributes from a JSON file (- for standard input); flags take precedence',
    );
  addAttributeOptions(command, creatable);
  // Rejected in `givenForOne` instead: commander's message only counts arguments.
  command.allowExcessArguments();
}

/** The parts of a command line that are for one user, for messages. Throws a `UsageError` if there is an argument. */
export function givenForOne(command: CommandUnknownOpts): (string | false)[] {
  if (command.args.length > 0) {
    throw new UsageError(
      `${command.name()} takes no arguments`,
      'Name each attribute with its option, such as --user-name.',
    );
  }
  const { data, passwordStdin, passwordPrompt, passwordFile, mustModify }: OneUser = command.opts();
  return [
    Object.keys(attributesOf(command)).length > 0 && 'an attribute',
    data !== undefined && '--data',
    (passwordStdin || passwordPrompt || passwordFile !== undefined) && 'a password',
    mustModify === false && '--no-must-modify',
  ];
}

/** The attributes of a command line and of its `--data`. Throws a `UsageError` if there are none. */
export async function valuesOf(context: CommandContext, command: CommandUnknownOpts): Promise<NewUser> {
  const { data: file }: OneUser = command.opts();
  const values: NewUser = mergeValues<NewUser>(
    await readData(context, file, newUserFields),
    attributesOf(command),
  );
  if (Object.keys(values).length > 0) return values;
  throw new UsageError('no attributes given', 'Specify at least one, such as --user-name.');
}

/** How a new user logs in, as the options say. `user`: what is known of the user, for the rules when a password is asked for. */
export async function loginOf(
  context: CommandContext,
  command: CommandUnknownOpts,
  user: NewUser,
): Promise<Pick<NewUser, 'pwd' | 'pwd_must_modify'>> {
  const options: OneUser = command.opts();
  const pwd = await passwordOf(context, options, user);
  return {
    ...(options.mustModify === false ? { pwd_must_modify: false } : {}),
    ...(pwd === undefined ? {} : { pwd }),
  };
}

interface OneUser {
  data?: string;
  passwordStdin?: true;
  passwordFile?: string;
  passwordPrompt?: true;
  mustModify?: boolean;
}

async function passwordOf(
  context: CommandContext,
  options: OneUser,
  user: NewUser,
): Promise<string | undefined> {
  const { passwordStdin, passwordFile, passwordPrompt } = options;
  if (passwordPrompt) return askNewPassword(context, user);
  return readSecretOption(context, 'password', { stdin: passwordStdin, file: passwordFile });
}
