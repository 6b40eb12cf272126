import type { User } from '../../contract/wire.ts';
import {
  type DecisionOptions,
  decide,
  type KeyOwner,
  type OwnersByKey,
  type RowAction,
  severalRows,
  unchanged,
  withChangedHash,
} from '../actions/decide.ts';
import type { KeyField } from '../actions/keys.ts';
import type { Columns } from '../rows/columns.ts';
import type { PreparedSource } from '../rows/prepared-source.ts';
import type { InvalidRow, ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import type { RunControlOptions } from '../send/call-api.ts';
import type { EarlierRows } from './earlier-rows.ts';
import type { OwnerSource } from './owner-source.ts';

/** What a tenant is read with. */
export interface TenantReaderOptions extends Omit<RunControlOptions, 'maxFailures'> {
  target: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  now: () => number;
}

/** What a file is decided against the tenant with, whether the decisions are then planned or only compared. */
export interface DecidingOptions extends TenantReaderOptions {
  file: string;
  /** Where the results go; made when missing. */
  directory: string;
  /** The field by which a person is recognised. */
  by?: KeyField | undefined;
  /** Version of the program. */
  version: string;
  /** Called once, when it is known how the file is read. */
  onSource?: (source: PreparedSource, columns: Columns) => void;
  /** Hears how many users of how many were read, and then how many rows of how many. */
  onProgress?: (what: 'users' | 'rows', done: number, total: number) => void;
}

/** A row and what is to be done for it; of an invalid row nothing is. */
export type DecidedRow = ({ row: ValidRow; action: RowAction; person?: User } | { row: InvalidRow }) & {
  /** The user whom an earlier job knew by the row, where its action names none. */
  earlierUser?: string;
};

/**
 * Decides every row of the lists, in their order. `earlier`: the rows of an earlier file; the tenant is not asked about one
 * that is as it was.
 */
export async function* decideRows(
  lists: AsyncGenerator<readonly ValidatedRow[], void>,
  source: OwnerSource,
  options: DecisionOptions,
  earlier?: EarlierRows,
): AsyncGenerator<DecidedRow[], void> {
  const { by } = options;
  const key = by === 'identity' || by === 'anyKey' ? undefined : by;
  for await (const rows of lists) {
    const before = new Map(rows.map((row) => [row, earlier?.find(row)]));
    const asked = rows.flatMap((row) => (row.user && !before.get(row)?.isSame ? [row.user] : []));
    const owners = await source.find(asked, key);
    let at = 0;
    yield rows.map((row): DecidedRow => {
      const was = before.get(row);
      if (row.user === undefined) return { row, ...knownUser(was?.userId) };
      if (was?.isSame) return { row, action: unchanged(was.userId) };
      const found: OwnersByKey = owners[at] ?? new Map();
      at += 1;
      const isDisabled = row.isDisabled === true;
      const decided = decide(row.user, found, { ...options, isDisabled });
      const action = was?.isHashChanged ? withChangedHash(decided) : decided;
      const kept = action.owners.filter(({ userId }) => earlier?.keep(userId));
      const person = [...found.values()].flat().find(({ user_id: id }) => id === action.userId);
      if (person === undefined) return { row, action, ...knownUser(was?.userId ?? onlyOf(kept, key)) };
      return { row, action: source.claim(person) ? action : severalRows(action), person };
    });
  }
}

function knownUser(earlierUser: string | undefined): { earlierUser?: string } {
  return earlierUser === undefined ? {} : { earlierUser };
}

/** Of several users with keys of a row the one who has the key by which a person is recognised. */
function onlyOf(owners: readonly KeyOwner[], key: KeyField | undefined): string | undefined {
  const own = key && owners.find(({ keys }) => keys.includes(key));
  return (own ?? (owners.length === 1 ? owners[0] : undefined))?.userId;
}
