import { hasUniqueKey, rowKey } from '../actions/keys.ts';
import type { Journal } from '../journal/journal.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import { isOfShard, type Shard } from '../model/shard.ts';
import type { ValidatedRow, ValidRow } from '../rows/validate-rows.ts';

/**
 * Returns a selection that leaves out (`undefined`) rows of other shards and rows with an outcome, marks rows that an earlier run
 * may have sent, and records the intent in the journal. It must be called in the order of the rows, just before each is sent.
 */
export function createSelection(
  journal: Journal,
  shard: Shard | undefined,
  onTakenOver: (result: FinalOutcome['result']) => void,
): (row: ValidatedRow) => ValidatedRow | undefined {
  const isFirstRun = journal.run === 1;
  return (row) => {
    if (!isOfShard(row.row, shard)) return undefined;
    if (!isFirstRun && journal.resultOf(row.row) !== undefined) return undefined;
    if (row.user === undefined) return row;
    const key = journal.isCorrected ? rowKey(row.user) : undefined;
    const taken = key && journal.takeOver(row.row, row.line, key, row.user.external_id);
    if (taken) {
      onTakenOver(taken);
      return undefined;
    }
    if (!hasUniqueKey(row.user) || row.isEarly) return withExactIntent(row, journal);
    journal.intend(row.row);
    const isEarlier =
      row.row <= journal.mayBeSent || (!isFirstRun && journal.arrivesUntil(row.row) !== undefined);
    const mayHaveBeenSent = journal.isCorrected || isEarlier;
    return mayHaveBeenSent ? { ...row, mayHaveBeenSent } : row;
  };
}

/**
 * Decides by the exact intent whether a row may have been sent. A row without a unique value could become two users if it is sent
 * twice, and the high-water mark says nothing about a row that is sent before its turn.
 */
function withExactIntent(row: ValidRow, journal: Journal): ValidRow {
  const arrivesUntil = journal.arrivesUntil(row.row);
  if (hasUniqueKey(row.user)) {
    const mayHaveBeenSent = journal.isCorrected || arrivesUntil !== undefined || row.row <= journal.mayBeSent;
    return mayHaveBeenSent ? { ...row, mayHaveBeenSent } : row;
  }
  if (arrivesUntil !== undefined) return { ...row, mayHaveBeenSent: true, arrivesUntil };
  return journal.isCorrected ? { ...row, mayHaveBeenSent: true } : row;
}
