import { describeObstacle } from '../actions/decide.ts';
import { hasUniqueKey } from '../actions/keys.ts';
import { incompleteListing, type ListingError } from '../model/errors.ts';
import type { Outcome } from '../model/outcome.ts';
import { isOfShard, rowsOfShard, type Shard } from '../model/shard.ts';
import type { Columns } from '../rows/columns.ts';
import type { ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import type { RunControl } from '../send/call-api.ts';
import { stayedEnabled } from '../send/import-and-disable.ts';
import { pendingRow, rowReference } from '../send/import-row.ts';
import { chooseSource } from './choose-source.ts';
import { countSharedIds, type DecidedRow, decideRows } from './decide-rows.ts';
import type { TenantReader } from './list-owners.ts';

export type LiveCheck = Awaited<ReturnType<typeof openLiveCheck>>;

/**
 * Opens the check of `--dry-run --live`: predicts what an import would do with the rows of a file, given the users who are in the
 * tenant now, which it only reads. Rejects with what a call fails with.
 */
export async function openLiveCheck(
  reader: TenantReader,
  control: RunControl,
  { rows, columns, shard }: { rows: number; columns: Columns; shard: Shard | undefined },
) {
  const needs = { rows: rowsOfShard(rows, shard), columns };
  const { source, listing, reason } = await chooseSource(reader, control, needs);
  const outcomes = new Map<number, Outcome>();
  let copies = 0;
  let sharedIds = 0;
  function note({ row, action }: Extract<DecidedRow, { action: unknown }>): void {
    const isCopy = action.kind !== 'create' && !hasUniqueKey(row.user);
    if (isCopy) copies += 1;
    // An import sends such a row without a look-up, and the API accepts an external ID any number of times.
    else outcomes.set(row.row, outcomeOfDecision({ row, action }));
  }
  return {
    /** Whether the tenant is listed or looked up row by row, and why. */
    asked: reason,
    /** Decides the rows as they pass through. */
    async *decide(lists: AsyncGenerator<readonly ValidatedRow[], void>) {
      for await (const decided of decideRows(ofShard(lists, shard), source, {})) {
        for (const one of decided) if ('action' in one) note(one);
        sharedIds += await countSharedIds(decided, source);
        yield decided.map(({ row }) => row);
      }
    },
    /** Rows whose users are there by their external ID, and whose only identifier that is: an import creates each a second time. */
    copies: () => copies,
    /** Rows whose users are created with an external ID that another user of the tenant has. */
    sharedIds: () => sharedIds,
    /** False for a row whose user is not created, as far as it is decided and its outcome was not returned. */
    isNew: (row: number) => (outcomes.get(row)?.result ?? 'pending') === 'pending',
    /** Returns the outcome that an import would give a decided row; `pending` if its user would be created. */
    async outcomeOf(row: ValidRow): Promise<Outcome> {
      const outcome = outcomes.get(row.row);
      outcomes.delete(row.row);
      return outcome ?? pendingRow(row);
    },
    /** Returns why the tenant was not listed completely; `undefined` if it was. */
    failure(): ListingError | undefined {
      const faults = listing?.faults ?? [];
      if (faults.length === 0) return undefined;
      const hint = 'A user who is there may count as missing: check again at a quieter time.';
      return incompleteListing(faults, hint);
    },
    close: () => listing?.close(),
  };
}

async function* ofShard(lists: AsyncGenerator<readonly ValidatedRow[], void>, shard: Shard | undefined) {
  for await (const rows of lists) yield rows.filter(({ row }) => isOfShard(row, shard));
}

/** Returns the outcome that an import would give the row; API errors that it would get cannot be predicted. */
function outcomeOfDecision({ row, action }: Extract<DecidedRow, { action: unknown }>): Outcome {
  const reference = rowReference(row);
  const { kind, userId = '' } = action;
  if (kind === 'create') return pendingRow(row);
  if (kind === 'same') return { ...reference, result: 'existing', userId };
  if (kind === 'disable') return stayedEnabled({ ...reference, result: 'existing', userId });
  return { ...reference, result: 'conflict', ...describeObstacle(action) };
}
