import type { EnabledUser } from '../actions/decide-corrected.ts';
import { hasUniqueKey, rowKey } from '../actions/keys.ts';
import type { Journal } from '../journal/journal.ts';
import { isOfShard, type Shard } from '../model/shard.ts';
import type { InvalidRow, ValidatedRow } from '../rows/validate-rows.ts';

/**
 * Returns a selection that leaves out (`undefined`) rows of other shards and rows with an outcome, marks rows that an earlier run
 * may have sent, and records the intent in the journal. It must be called in the order of the rows, just before each is sent.
 * `areExact`: every row gets an intent of its own. `isOnlyAsking`: nothing is sent, so no row gets an intent, and each waits until its
 * request can no longer arrive: if it was looked up before, it would count as not sent, and no later step would find the user.
 * `isRetrying`: users whom the job left enabled, although the file says otherwise, are looked up again: to be disabled, or since somebody
 * may have disabled them meanwhile.
 */
export function createSelection(
  journal: Journal,
  shard: Shard | undefined,
  { areExact = false, isOnlyAsking = false, isRetrying = false } = {},
): (row: ValidatedRow) => ValidatedRow | undefined {
  const isFirstRun = journal.run === 1;
  return (row) => {
    if (!isOfShard(row.row, shard)) return undefined;
    const before = isFirstRun ? undefined : journal.outcomeOf(row.row);
    if (before) {
      const isEnabled = before.code === 'DISABLE' || before.code === 'NOT_DISABLED';
      if (!isRetrying) return undefined;
      if (row.user) return isEnabled ? { ...row, enabled: journal.users.stillEnabled(row.row) } : undefined;
      return before.code === 'LEFT_OUT' ? lookedUp(row, journal.users.stillEnabled(row.row)) : undefined;
    }
    if (row.user === undefined) return row;
    const stranger = journal.isCorrected ? journal.users.stranger(rowKey(row.user), row.row) : undefined;
    if (stranger) return { ...row, stranger };
    const isUnique = hasUniqueKey(row.user);
    const selected = areExact ? { ...row, isExact: true } : row;
    if (isUnique && !selected.isExact && !isOnlyAsking) journal.intend(row.row);
    const arrivesUntil = isFirstRun ? undefined : journal.arrivesUntil(row.row, isUnique && !areExact);
    // The job may have made the user of such a row for one of an earlier file, in which several had its external ID, or none.
    const isOther = journal.isCorrected && !isUnique;
    if (arrivesUntil === undefined && !isOther) return selected;
    const isHeld = isOnlyAsking || (!isUnique && row.user.external_id !== undefined);
    const hold = isHeld && arrivesUntil !== undefined ? { arrivesUntil } : {};
    return { ...selected, mayHaveBeenSent: true, ...hold };
  };
}

/** Returns the row of a user whom the recipe leaves out now, to be looked up. Without a user to look up, it would be sent. */
function lookedUp({ row, line, skippedUser: user }: InvalidRow, enabled: EnabledUser | undefined) {
  return user && enabled && { row, line, user, enabled, isLeftOut: true as const };
}
