import { type User, userFields } from '../../../contract/wire.ts';
import type { Result } from '../../formats/formats.ts';

/** A user as every output shows it: types are the same whatever the service sends (§2.2 leaves them open). */
function normalise(user: User): object {
  return {
    ...user,
    disabled: String(user.disabled) === 'true',
    usr_auth_times: Number(user.usr_auth_times ?? 0),
  };
}

/** Every field a user may have, extension attributes as `extension.<key>`, for outputs without a width. */
function allColumns(users: readonly User[]): string[] {
  const keys = new Set(users.flatMap((user) => Object.keys(user.extension ?? {})));
  return userFields.flatMap((field) =>
    field === 'extension' ? [...keys].sort().map((key) => `extension.${key}`) : [field],
  );
}

/** A list of users: the columns that tell people apart. */
export function userTable(users: readonly User[], rest: object): Result {
  return {
    rows: users.map(normalise),
    list: { name: 'users', rest: () => rest },
    columns: ['user_name', 'name', 'email', 'mobile', 'disabled', 'user_id'],
    needed: ['user_name', 'email', 'user_id', 'disabled', 'name', 'mobile'],
    csvColumns: allColumns(users),
    knownColumns: userFields,
  };
}

/** One user, a line a field. */
export function singleUser(user: User): Result {
  return { rows: [normalise(user)], columns: allColumns([user]), knownColumns: userFields, single: true };
}
