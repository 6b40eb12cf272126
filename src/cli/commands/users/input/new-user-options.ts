import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { attributeNames } from '../../../../contract/attributes.ts';
import type { NewUser } from '../../../../contract/wire.ts';
import type { CommandContext } from '../../../context/context.ts';
import { UsageError } from '../../../errors/errors.ts';
import { addPasswordOptions, readPasswordOption } from '../../../input/secret-options.ts';
import { askNewPassword } from './ask-user.ts';
import { addAttributeOptions, attributesOf, mergeValues, readData } from './attribute-input.ts';

const newUserFields: readonly string[] = [...attributeNames, 'extension', 'pwd_must_modify'];

/** Adds every option of a new user to a command: the attributes, and the password. */
export function addNewUserOptions(command: CommandUnknownOpts): void {
  command.optionsGroup('Password:');
  addPasswordOptions(command, '--password-prompt, --password-file or --password-stdin');
  command
    .addOption(
      new Option('--password-prompt', 'prompt for the password').conflicts(['passwordStdin', 'passwordFile']),
    )
    .option('--no-must-modify', 'do not require a password change at the next login');
  command
    .optionsGroup('Attributes:')
    .option(
      '--data <file>',
      'read attributes from a JSON file (- for standard input); flags take precedence',
    );
  addAttributeOptions(command, attributeNames);
  // Rejected by `refuseArguments` instead: commander's message only counts arguments.
  command.allowExcessArguments();
}

/** Throws a `UsageError` if a command with these options has an argument. */
export function refuseArguments(command: CommandUnknownOpts): void {
  if (command.args.length === 0) return;
  throw new UsageError(
    `${command.name()} takes no arguments`,
    'Name each attribute with its option, such as --user-name.',
  );
}

/** The attributes of a command line and of its `--data`. */
export async function valuesOf(context: CommandContext, command: CommandUnknownOpts): Promise<NewUser> {
  const { data: file }: OneUser = command.opts();
  return mergeValues<NewUser>(await readData(context, file, newUserFields), attributesOf(command));
}

/** How a new user logs in, as the options say. `user`: what is known of the user, for the rules when a password is asked for. */
export async function loginOf(
  context: CommandContext,
  command: CommandUnknownOpts,
  user: NewUser,
): Promise<Pick<NewUser, 'pwd' | 'pwd_must_modify'>> {
  const { passwordPrompt, mustModify }: OneUser = command.opts();
  const pwd = passwordPrompt
    ? await askNewPassword(context, user)
    : await readPasswordOption(context, command);
  return {
    ...(mustModify === false ? { pwd_must_modify: false } : {}),
    ...(pwd === undefined ? {} : { pwd }),
  };
}

interface OneUser {
  data?: string;
  passwordPrompt?: true;
  mustModify?: boolean;
}
