import { Option } from '@commander-js/extra-typings';
import { UsageError } from '../errors/errors.ts';

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
