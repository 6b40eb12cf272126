import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { readSecretOption } from './read-input.ts';

/** A hidden option that is rejected with or without a value. */
export function refusedOption(flag: string, message: string, hint: string): Option {
  return new Option(`${flag} [value]`)
    .hideHelp()
    .preset('')
    .argParser(() => {
      throw new UsageError(message, hint);
    });
}

/** A hidden `--username`, for which commander would suggest no option, or `--user-name`, which changes the user name. */
export function usernameOption(): Option {
  return refusedOption('--username', "unknown option '--username'", 'To find a user, use --by-user-name.');
}

/** A hidden option for a secret. It is rejected with a hint at safe ways to pass the secret, and its value is not repeated. */
export function secretOption(flag: string, what: string, instead: string): Option {
  return refusedOption(
    flag,
    `${what} is never an argument: other users of this machine can see it, and the shell keeps it`,
    `Use ${instead}, and remove this line from the history of the shell.`,
  );
}

/** Adds the options that provide a password. `instead`: the safe ways to pass one, for the error about `--password`. */
export function addPasswordOptions(command: CommandUnknownOpts, instead: string): void {
  command
    .addOption(
      new Option('--password-stdin', 'read the password from standard input').conflicts('passwordFile'),
    )
    .option('--password-file <file>', 'read the password from a file')
    .addOption(secretOption('--password', 'a password', instead));
}

/** The password that the options provide; `undefined` if they do not. Throws a `UsageError` if it cannot be read. */
export async function readPasswordOption(context: CommandContext, command: CommandUnknownOpts) {
  const { passwordStdin, passwordFile }: { passwordStdin?: true; passwordFile?: string } = command.opts();
  return readSecretOption(context, 'password', { stdin: passwordStdin, file: passwordFile });
}
