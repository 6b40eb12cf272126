import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Client } from '../../../../client/client.ts';
import { ApiError } from '../../../../client/errors.ts';
import { errorCatalogue } from '../../../../contract/errors.ts';
import { pageLimits } from '../../../../contract/operations.ts';
import type { User } from '../../../../contract/wire.ts';
import { hasAs } from '../../../../migration/actions/decide.ts';
import type { KeyField } from '../../../../migration/actions/keys.ts';
import { incompleteListing } from '../../../../migration/model/errors.ts';
import type { OnStep } from '../../../../migration/model/progress-step.ts';
import { lookUpUser } from '../../../../migration/send/existing-user.ts';
import { quoteWord } from '../../../../text/shell-quote.ts';
import { type CommandContext, canAsk } from '../../../context/context.ts';
import { AdvisedError, RefusedError, UsageError } from '../../../errors/errors.ts';
import { askText } from '../../../input/prompts.ts';
import { usernameOption } from '../../../input/secret-options.ts';

/** The options that name a user other than by user id, the same in every command: what they find by, and its field. */
const finders = [
  ['--by-user-name <name>', 'user name', 'user_name'],
  ['--by-email <address>', 'e-mail address', 'email'],
  ['--by-mobile <number>', 'mobile number, such as 86-15200000000', 'mobile'],
  ['--by-external-id <id>', 'ID in a third-party system', 'external_id'],
] as const;

/** What names a user on a command line: an identifier and its value. */
export interface GivenFinder {
  field: KeyField | 'user_id';
  given: string;
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
  return finders.flatMap(([flag, , field]) => {
    const values = options[new Option(flag).attributeName()];
    return Array.isArray(values) ? values.map((given: string) => ({ field, given })) : [];
  });
}

/** Names of the options that find a user, for messages. */
export const finderFlags = finders.map(([flag]) => flagName(flag)).join(', ');

/**
 * Returns a function that says what names the one user: a user id, a finder, or what a person answers if there is none of them.
 * Throws a `UsageError` if several users are named, or none and nobody can be asked.
 */
export function finderOf(
  context: CommandContext,
  command: CommandUnknownOpts,
  userId: string | undefined,
): () => Promise<GivenFinder> {
  const ways = givenFinders(command);
  if (userId !== undefined) ways.push({ field: 'user_id', given: userId });
  const [only, ...others] = ways;
  if (!only && canAsk(context)) return () => askFinder(context);
  if (!only) throw new UsageError('specify exactly one user', `Give a USER_ID or one of ${finderFlags}.`);
  if (others.length > 0) {
    throw new UsageError('specify exactly one user', `Use only one of USER_ID, ${finderFlags}.`);
  }
  return async () => only;
}

/** Asks a person for a user. The form of the answer decides how the user is found. */
export async function askFinder(context: CommandContext): Promise<GivenFinder> {
  const message = 'User id, user name, e-mail address or mobile number';
  const given = await askText(context, { message, instead: `a USER_ID or one of ${finderFlags}` });
  const flag = otherKeyOf(given)?.finder.replace(/ .*/, '');
  const [, , field = 'user_id'] = finders.find(([one]) => flagName(one) === flag) ?? [];
  return { field, given };
}

/** Finds a user. Throws a `RefusedError` if the service answers with somebody who does not have the value. */
export async function findGiven(client: Client, { field, given }: GivenFinder): Promise<User> {
  if (field === 'user_id') return adviseOnId(given, client.getUser(given));
  const user = await lookUpUser(client, { key: field, value: given });
  if (hasAs(field, { [field]: given }, user)) return user;
  throw new RefusedError(
    'UNCERTAIN_USER',
    `the look-up by ${field} answered with ${user.user_id}, who has another ${field} or none`,
    'If this user is meant, use the user id.',
  );
}

/**
 * Of these external IDs, returns those that several users have. Reads all users, since a look-up finds only one of those who share an
 * ID. Throws a `ListingError` if some may be missing.
 */
export async function findShared(client: Client, externalIds: readonly string[], report: OnStep) {
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  if (externalIds.length === 0) return shared;
  const { listAllUsers } = await import('../../../../client/list-all-users.ts');
  const { pages, completeness } = listAllUsers(client, { limit: pageLimits.max });
  for await (const users of pages) {
    for (const { external_id: id = '' } of users) {
      if (!externalIds.includes(id)) continue;
      if (seen.has(id)) shared.add(id);
      seen.add(id);
    }
    const { users: done, total } = completeness();
    report({ what: 'users read', done, total });
  }
  const { faults } = completeness();
  if (faults.length === 0) return shared;
  throw incompleteListing(faults, 'Nobody was changed. Use another identifier, or try again later.');
}

/** The command that lists all users with an external ID. */
export function listByExternalId(externalId: string): string {
  return `tenant-users list --where ${quoteWord(`external_id=${externalId}`)}`;
}

/** The error for an external ID that several users have. */
export function sharedError(externalId: string): RefusedError {
  return new RefusedError(
    'UNCERTAIN_USER',
    'several users have this external ID, and a look-up finds only one of them',
    `See who is meant with ${listByExternalId(externalId)}, and name the user by another identifier.`,
  );
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
