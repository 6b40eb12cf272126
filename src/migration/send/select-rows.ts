import type { KnownUser } from '../actions/decide-corrected.ts';
import { hasUniqueKey, rowKey } from '../actions/keys.ts';
import type { Journal } from '../journal/journal.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import { isOfShard, type Shard } from '../model/shard.ts';
import type { ValidatedRow } from '../rows/validate-rows.ts';

/**
 * Returns a selection that leaves out (`undefined`) rows of other shards and rows with an outcome, marks rows that an earlier run
 * may have sent, and records the intent in the journal. It must be called in the order of the rows, just before each is sent.
 * `areExact`: every row gets an intent of its own. `isOnlyAsking`: nothing is sent, so no row gets an intent, and each waits until its
 * request can no longer arrive: if it was looked up before, it would count as not sent, and no later step would find the user.
 * `isRetrying`: users whom the job left enabled, although the file says otherwise, are looked up again, since somebody may have disabled
 * them meanwhile.
 */
export function createSelection(
  journal: Journal,
  shard: Shard | undefined,
  onTakenOver: (result: FinalOutcome['result']) => void,
  { areExact = false, isOnlyAsking = false, isRetrying = false } = {},
): (row: ValidatedRow) => ValidatedRow | undefined {
  const isFirstRun = journal.run === 1;
  const toLookAgain = isRetrying ? journal.users.enabledBefore() : new Map<number, KnownUser>();
  return (row) => {
    if (!isOfShard(row.row, shard)) return undefined;
    if (!isFirstRun && journal.resultOf(row.row) !== undefined) {
      const enabled = toLookAgain.get(row.row);
      return row.user && enabled && toLookAgain.delete(row.row) ? { ...row, enabled } : undefined;
    }
    if (row.user === undefined) return row;
    const taken = journal.isCorrected ? journal.takeOver(row, rowKey(row.user)) : undefined;
    if (taken?.kind === 'known') {
      const { outcome } = taken;
      journal.record(outcome);
      onTakenOver(outcome.result);
      const isEnabled = outcome.result === 'failed' || taken.differsBy === 'DISABLE';
      return isEnabled ? { ...row, enabled: taken.known } : undefined;
    }
    if (taken?.kind === 'stranger') return { ...row, stranger: taken.known };
    const isUnique = hasUniqueKey(row.user);
    const selected = areExact ? { ...row, isExact: true } : row;
    if (isUnique && !selected.isExact && !isOnlyAsking) journal.intend(row.row);
    const own = isFirstRun ? undefined : journal.arrivesUntil(row.row, isUnique && !areExact);
    const may = own ?? journal.earlierArrivesUntil;
    // Whoever has the key is nobody whom the job created for this row, unless a run has sent it.
    if (isUnique && taken?.kind === 'other' && may === undefined) return selected;
    // In a corrected file, a row that can be looked up by a key of its own was sent only if the earlier file had it as well. Then its
    // user is known, unless its request got no answer.
    const arrivesUntil = taken?.kind === 'again' && isUnique ? (own ?? 0) : may;
    const isOther = journal.isCorrected && !isUnique;
    if (!isOther && arrivesUntil === undefined) return selected;
    const isHeld = isOnlyAsking || (!isUnique && row.user.external_id !== undefined);
    const hold = isHeld && arrivesUntil !== undefined ? { arrivesUntil } : {};
    return { ...selected, mayHaveBeenSent: true, ...hold };
  };
}
