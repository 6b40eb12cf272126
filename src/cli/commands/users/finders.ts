import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { errorCatalogue } from '../../../contract/errors.ts';
import type { User } from '../../../contract/wire.ts';
import { type CommandContext, canAsk } from '../../context/context.ts';
import { AdvisedError, UsageError } from '../../errors/errors.ts';
import { askText } from '../../input/prompts.ts';
import { usernameOption } from '../../input/secret-options.ts';

/** The options that name a user other than by user id, the same in every command: what they find by, and the call that does it. */
const finders = [
  ['--by-user-name <name>', 'user name', 'getUserByUserName'],
  ['--by-email <address>', 'e-mail address', 'getUserByEmail'],
  ['--by-mobile <number>', 'mobile number, such as 86-15200000000', 'getUserByMobile'],
  ['--by-external-id <id>', 'ID in a third-party system', 'getUserByExternalId'],
] as const;

/** A finder that a command line contains: its value, and how to find the user by it. */
export interface GivenFinder {
  given: string;
  find(client: Client): Promise<User>;
}

/**
 * Adds the options that find a user to a command. `repeatable`: each can be given several times. Otherwise a second one is
 * rejected, so that none is ignored.
 */
export function addFinders(command: CommandUnknownOpts, { repeatable = false } = {}): void {
  for (const [flag, what] of finders) {
    const collect = (value: string, before?: readonly string[]) => {
      if (!before || repeatable) return [...(before ?? []), value];
      throw new UsageError(`${flagName(flag)} is given more than once`, 'Specify exactly one user.');
    };
    const shown = `find the user by ${what}${repeatable ? ' (repeatable)' : ''}`;
    command.addOption(new Option(flag, shown).argParser(collect));
  }
  command.addOption(usernameOption());
}

/** Every finder that a command line contains, in the order of the finders above. */
export function givenFinders(command: CommandUnknownOpts): GivenFinder[] {
  const options: Record<string, unknown> = command.opts();
  return finders.flatMap(([flag, , find]) => {
    const values = options[new Option(flag).attributeName()];
    if (!Array.isArray(values)) return [];
    return values.map((given: string) => ({ given, find: (client: Client) => client[find](given) }));
  });
}

/** Names of the options that find a user, for messages. */
export const finderFlags = finders.map(([flag]) => flagName(flag)).join(', ');

/**
 * Returns a function that finds the one user whom a user id or a finder names, or asks a person if none is named.
 * Throws a `UsageError` if several are named, or none and nobody can be asked.
 */
export function finderOf(
  context: CommandContext,
  command: CommandUnknownOpts,
  userId: string | undefined,
): (client: Client) => Promise<User> {
  const ways = givenFinders(command).map(({ find }) => find);
  if (userId !== undefined) ways.push((client) => adviseOnId(userId, client.getUser(userId)));
  const [only, ...others] = ways;
  if (!only && canAsk(context)) return async (client) => (await askFinder(context)).find(client);
  if (!only) throw new UsageError('specify exactly one user', `Give a USER_ID or one of ${finderFlags}.`);
  if (others.length > 0) {
    throw new UsageError('specify exactly one user', `Use only one of USER_ID, ${finderFlags}.`);
  }
  return only;
}

/** Asks a person for a user. The form of the answer decides how the user is found. */
export async function askFinder(context: CommandContext): Promise<GivenFinder> {
  const message = 'User id, user name, e-mail address or mobile number';
  const given = await askText(context, { message, instead: `a USER_ID or one of ${finderFlags}` });
  const flag = otherKeyOf(given)?.finder.replace(/ .*/, '');
  const [, , find = 'getUser'] = finders.find(([one]) => flagName(one) === flag) ?? [];
  return { given, find: (client) => client[find](given) };
}

/** Forms of other keys that people give as a user id, and the finder for each. */
const otherKeys: readonly [pattern: RegExp, what: string, finder: string][] = [
  [/@/, 'an e-mail address', '--by-email ADDRESS'],
  [/^\+?[\d() -]{8,20}$/, 'a mobile number', '--by-mobile NUMBER'],
  // The service makes ids of the digits of the time and two further parts.
  [/^(?!\d{6,}-)/, 'a user name', '--by-user-name NAME'],
];

/** What a text is that does not look like a user id, and the finder for it; `undefined` if it may be a user id. */
export function otherKeyOf(userId: string): { what: string; finder: string } | undefined {
  const [, what, finder] = otherKeys.find(([pattern]) => pattern.test(userId)) ?? [];
  return what === undefined || finder === undefined ? undefined : { what, finder };
}

/** Advice for a user id that was not found. The id is not repeated, because it may be a misplaced secret. */
export function adviceOnId(userId: string): string | undefined {
  const other = otherKeyOf(userId);
  return other && `This is not the form of a user id. If it is ${other.what}, use ${other.finder}`;
}

/** Adds advice about the finder that was probably meant if the user is not found. */
export async function adviseOnId<Found>(userId: string, finding: Promise<Found>): Promise<Found> {
  try {
    return await finding;
  } catch (failure) {
    const advice = isNotFound(failure) ? adviceOnId(userId) : undefined;
    throw advice === undefined ? failure : new AdvisedError(failure, advice);
  }
}

/** True if the service has no such user. */
export function isNotFound(failure: unknown): boolean {
  const cause = failure instanceof AdvisedError ? failure.cause : failure;
  return cause instanceof ApiError && cause.code === errorCatalogue.userNotFound.code;
}

function flagName(flag: string): string {
  return flag.replace(/ .*/, '');
}
