import { userFields } from '../../../contract/attributes.ts';
import type { User, UserReference } from '../../../contract/wire.ts';
import { ListingError } from '../../../migration/model/errors.ts';
import { quoteWord } from '../../../text/shell-quote.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Result } from '../../output/formats/format.ts';
import { showRecord } from '../../output/show.ts';

/** A user as every output shows it: the number of logins is converted to a number. */
export function shownUser(user: User): object {
  return { ...user, usr_auth_times: Number(user.usr_auth_times) };
}

/** Keys of the extension attributes that users have. */
export function extensionKeys(users: readonly User[]): Set<string> {
  return new Set(users.flatMap(({ extension = {} }) => Object.keys(extension)));
}

/** Every field that a user can have, for outputs of unlimited width. Extension attributes are `extension.<key>`. */
export function allColumns(keys: Iterable<string>): string[] {
  return userFields.flatMap((field) =>
    field === 'extension' ? [...keys].sort().map((key) => `extension.${key}`) : [field],
  );
}

/** A result that lists users, with columns that distinguish people. `rest`: the other fields of a JSON document. */
export function userList(rows: Result['rows'], keys: Iterable<string>, rest: () => object): Result {
  return {
    rows,
    list: { name: 'users', rest },
    columns: ['user_name', 'name', 'email', 'mobile', 'disabled', 'user_id'],
    needed: ['user_name', 'email', 'name', 'disabled', 'user_id', 'mobile'],
    csvColumns: allColumns(keys),
    id: 'user_id',
  };
}

export function showReference(context: CommandContext, { user_id }: UserReference): Promise<void> {
  return showRecord(context, { user_id }, ['user_id'], 'user_id');
}

/** The error for a listing that may be incomplete. `lost`: extension keys that have no column in the CSV. */
export function listingError(
  found: readonly string[],
  keys: ReadonlySet<string> = new Set(),
  lost: ReadonlySet<string> = new Set(),
): ListingError {
  const reasons = [...found];
  if (lost.size > 0) {
    reasons.push(`users on later pages have extension attributes without a column: ${[...lost].join(', ')}`);
  }
  const again = 'The users printed are correct, but others may be missing: list again at a quieter time.';
  const hints = [...(found.length > 0 ? [again] : []), ...(lost.size > 0 ? [columnsHint(keys, lost)] : [])];
  return new ListingError(`the listing is incomplete: ${reasons.join('; ')}`, hints.join('\n'));
}

function columnsHint(keys: ReadonlySet<string>, lost: ReadonlySet<string>): string {
  const columns = allColumns([...keys, ...lost]);
  // A comma-separated list cannot contain these names.
  if (columns.some((column) => column !== column.trim() || column.includes(','))) {
    return 'List again with: -o jsonl';
  }
  return `List again with: --columns ${quoteWord(columns.join(','))}`;
}
