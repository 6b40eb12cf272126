import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Client } from '../../../client/client.ts';
import type { User } from '../../../contract/wire.ts';
import { UsageError } from '../../errors/errors.ts';
import { renamedOption } from '../../input/option-parsers.ts';

interface Finder {
  flag: string;
  description: string;
  /** The option of earlier versions. */
  replaces: string;
  find(client: Client, value: string): Promise<User>;
}

/** The ways to name a user other than by user id: the same options in every command. */
const finders: readonly Finder[] = [
  {
    flag: '--by-user-name <name>',
    description: 'find the user by user name',
    replaces: '--username',
    find: (client, value) => client.getUserByUserName(value),
  },
  {
    flag: '--by-email <address>',
    description: 'find the user by e-mail address',
    replaces: '--email',
    find: (client, value) => client.getUserByEmail(value),
  },
  {
    flag: '--by-mobile <number>',
    description: 'find the user by mobile number, such as 86-15200000000',
    replaces: '--mobile',
    find: (client, value) => client.getUserByMobile(value),
  },
  {
    flag: '--by-external-id <id>',
    description: 'find the user by ID in a third-party system',
    replaces: '--external-id',
    find: (client, value) => client.getUserByExternalId(value),
  },
];

/**
 * Gives a command the options that find a user. The old names are refused, but for the flags that the command has
 * another use for.
 */
export function addFinders(command: CommandUnknownOpts, otherFlags: readonly string[] = []): void {
  for (const { flag, description, replaces } of finders) {
    const name = flagName(flag);
    const once = (value: string, before?: string) => {
      if (before === undefined) return value;
      throw new UsageError(`${name} is given more than once`, 'Specify exactly one user.');
    };
    command.addOption(new Option(flag, description).argParser(once));
    if (!otherFlags.includes(replaces)) command.addOption(renamedOption(replaces, name));
  }
}

/** Finds the one user whom a user id or a finder names; throws `UsageError` where it is not exactly one. */
export function finderOf(
  command: CommandUnknownOpts,
  userId: string | undefined,
  otherFlags: readonly string[] = [],
): (client: Client) => Promise<User> {
  const options: Record<string, unknown> = command.opts();
  const given = finders.flatMap(({ flag, find }) => {
    const value = options[new Option(flag).attributeName()];
    return typeof value === 'string' ? [(client: Client) => find(client, value)] : [];
  });
  if (userId !== undefined) given.push((client) => client.getUser(userId));
  const [only, ...others] = given;
  const flags = [...finders.map(({ flag }) => flagName(flag)), ...otherFlags].join(', ');
  if (!only) throw new UsageError('specify exactly one user', `Give a USER_ID or one of ${flags}.`);
  if (others.length > 0) {
    throw new UsageError('specify exactly one user', `Use only one of USER_ID, ${flags}.`);
  }
  if (userId === '') throw new UsageError('the user id is empty', 'Is a shell variable unset?');
  return only;
}

/** True where a command line has a finder. */
export function hasFinder(command: CommandUnknownOpts): boolean {
  const options = command.opts();
  return finders.some(({ flag }) => new Option(flag).attributeName() in options);
}

function flagName(flag: string): string {
  return flag.replace(/ .*/, '');
}
