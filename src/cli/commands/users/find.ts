import type { Client } from '../../../client/client.ts';
import type { User } from '../../../contract/wire.ts';
import { UsageError } from '../../errors/errors.ts';

/** The ways to name a user other than by user id. */
export interface LookupOptions {
  username?: string;
  email?: string;
  mobile?: string;
  externalId?: string;
}

const lookups: Record<keyof LookupOptions, (client: Client, value: string) => Promise<User>> = {
  username: (client, value) => client.getUserByUserName(value),
  email: (client, value) => client.getUserByEmail(value),
  mobile: (client, value) => client.getUserByMobile(value),
  externalId: (client, value) => client.getUserByExternalId(value),
};

/** A user named by exactly one of user id and look-up options; a function that finds it. */
export function lookupOf(
  userId: string | undefined,
  options: LookupOptions,
  flags: string,
): (client: Client) => Promise<User> {
  const named = Object.keys(lookups).filter((key) => options[key as keyof LookupOptions] !== undefined);
  const ways = named.length + (userId === undefined ? 0 : 1);
  if (ways !== 1) {
    const fault = ways === 0 ? 'no user is named' : 'a user is named in several ways';
    throw new UsageError(`${fault}: name exactly one user`, `Give a USER_ID or one of ${flags}.`);
  }
  if (userId === '') throw new UsageError('the user id is empty', 'Is a variable of the shell not set?');
  if (userId !== undefined) return (client) => client.getUser(userId);
  const key = named[0] as keyof LookupOptions;
  return (client) => lookups[key](client, options[key] ?? '');
}
