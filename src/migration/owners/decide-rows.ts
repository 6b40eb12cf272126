import type { HashedUser, User } from '../../contract/wire.ts';
import {
  type DecisionOptions,
  decide,
  inConflict,
  type KeyOwner,
  type OwnersByKey,
  type RowAction,
  unchanged,
  withKept,
} from '../actions/decide.ts';
import { hasUniqueKey, type KeyField } from '../actions/keys.ts';
import type { Columns } from '../rows/columns.ts';
import type { PreparedSource } from '../rows/prepared-source.ts';
import type { InvalidRow, ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import type { RunControlOptions } from '../send/call-api.ts';
import type { EarlierRows, EarlierUser } from './earlier-rows.ts';
import type { FindOptions, OwnerSource } from './owner-source.ts';

export interface TenantReaderOptions extends Omit<RunControlOptions, 'maxFailures'> {
  target: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Options for deciding the rows of a file against a tenant, for a plan or a comparison. */
export interface DecidingOptions extends TenantReaderOptions {
  file: string;
  /** Directory of the results; created if missing. */
  directory: string;
  /** The field that identifies the person of a row; without it, all keys and the name must match. */
  by?: KeyField | undefined;
  /** Version of the program. */
  version: string;
  /** Called once, when it is known how the file is read. */
  onSource?: (source: PreparedSource, columns: Columns) => void;
}

/** A row and the action for it; an invalid row has no action. */
export type DecidedRow = ({ row: ValidRow; action: RowAction; person?: User } | { row: InvalidRow }) & {
  /** ID of the user whom an earlier job knew for the row, if the action names none. */
  earlierUser?: string;
};

/**
 * Decides all rows of the lists, in order. `earlier`: the rows of an earlier file; rows that have not changed since are not looked
 * up in the tenant. `otherKeys`: the rows that seem to be users of that file under another key, with these users.
 */
export async function* decideRows(
  lists: AsyncGenerator<readonly ValidatedRow[], void>,
  source: OwnerSource,
  { withRenamed, ...options }: DecisionOptions & Pick<FindOptions, 'withRenamed'>,
  earlier?: EarlierRows,
  otherKeys?: ReadonlyMap<number, string | undefined>,
): AsyncGenerator<DecidedRow[], void> {
  const { by } = options;
  const key = by === 'identity' || by === 'anyKey' ? undefined : by;
  for await (const rows of lists) {
    const before = new Map(rows.map((row) => [row, earlier?.find(row) ?? []]));
    const asked = rows.flatMap((row) => (row.user && !before.get(row)?.[0]?.isSame ? [row.user] : []));
    const owners = await source.find(asked, { key, withRenamed });
    let at = 0;
    yield rows.map((row): DecidedRow => {
      const known = before.get(row) ?? [];
      const [first] = known;
      const { user } = row;
      if (user === undefined) return { row, ...knownUser(first?.userId) };
      if (first?.isSame) return { row, action: unchanged(first.userId) };
      const found: OwnersByKey = owners[at] ?? new Map();
      at += 1;
      const isDisabled = row.isDisabled === true;
      const decided = decide(user, found, { ...options, isDisabled });
      // Only --key says that whoever has another identifier of the row is not its person under a new name.
      const isElse = ({ userId, keys }: KeyOwner) =>
        key !== undefined && user[key] !== undefined && !keys.includes(key) && userId !== decided.userId;
      const isOwner = ({ userId: id }: EarlierUser) =>
        decided.owners.some((owner) => owner.userId === id && !isElse(owner));
      // Who has an unchanged row shares at most the external ID of this one.
      const isFree = ({ userId, isOther }: EarlierUser) => !isOther && !earlier?.isUnchanged(userId);
      const was = known.findLast(isOwner) ?? known.find(isFree);
      const kept = decided.owners.filter((owner) => earlier?.keep(owner.userId, isElse(owner)));
      const byOthers = [...found].flatMap(([field, users]) => (field === 'external_id' ? [] : users));
      if (!byOthers.some((owner) => owner.external_id === user.external_id)) earlier?.name(user.external_id);
      const earlierUser = knownUser(was?.userId ?? onlyOf(kept, key));
      // The API deletes nobody, so the user is there: another create would make a second account.
      if ((was && decided.kind === 'create') || (withRenamed && isRenamed(user, decided)))
        return { row, action: inConflict('OTHER_NAMES', decided), ...earlierUser };
      if (decided.kind === 'create' && otherKeys?.has(row.row))
        return { row, action: inConflict('KEY_CHANGED', decided), ...knownUser(otherKeys.get(row.row)) };
      const action = was?.changed ? withKept(decided, was.changed) : decided;
      const person = [...found.values()].flat().find(({ user_id: id }) => id === action.userId);
      if (person === undefined) return { row, action, ...earlierUser };
      if (was && was.userId !== person.user_id)
        return { row, action: inConflict('OTHER_USER', action), ...knownUser(was.userId) };
      const isFirst = source.claim(person) && !earlier?.isUnchanged(person.user_id);
      return { row, action: isFirst ? action : inConflict('SEVERAL_ROWS', action), person };
    });
  }
}

/** Counts the users to create whose external ID somebody has: the API accepts it again, and nobody can change it afterwards. */
export async function countSharedIds(rows: readonly DecidedRow[], source: OwnerSource): Promise<number> {
  const shared = rows.map((one) => {
    const id = 'action' in one && one.action.kind === 'create' ? one.row.user.external_id : undefined;
    return id !== undefined && source.hasExternalId(id);
  });
  return (await Promise.all(shared)).filter((isShared) => isShared).length;
}

/** True if all that is found of a row is somebody with its external ID, whom it does not identify. */
function isRenamed(row: HashedUser, { reason, owners }: RowAction): boolean {
  const isNamed = owners.every(({ keys }) => keys.every((key) => key === 'external_id'));
  return reason === 'OTHER_PERSON' && hasUniqueKey(row) && isNamed;
}

function knownUser(earlierUser: string | undefined): { earlierUser?: string } {
  return earlierUser === undefined ? {} : { earlierUser };
}

/** Returns the owner who has the key `key`, otherwise the only owner; `undefined` if there are several. */
function onlyOf(owners: readonly KeyOwner[], key: KeyField | undefined): string | undefined {
  const own = key && owners.find(({ keys }) => keys.includes(key));
  return (own ?? (owners.length === 1 ? owners[0] : undefined))?.userId;
}
