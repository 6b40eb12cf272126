import type { Journal } from '../journal/journal.ts';
import { isOfShard, type Shard } from '../model/shard.ts';
import type { ValidatedRow } from '../rows/validate-rows.ts';
import { rowKey } from './existing-user.ts';

/**
 * Leaves out (`undefined`) a row of another shard and one that has an outcome, marks one that an earlier run may have sent,
 * and has the journal know of the row. Must be called in the order of the rows, just before each is sent.
 */
export function createSelection(
  journal: Journal,
  shard: Shard | undefined,
  onTakenOver: () => void,
): (row: ValidatedRow) => ValidatedRow | undefined {
  const isFirstRun = journal.run === 1;
  return (row) => {
    if (!isOfShard(row.row, shard)) return undefined;
    if (!isFirstRun && journal.hasOutcome(row.row)) return undefined;
    if (row.user === undefined) return row;
    const key = journal.isCorrected ? rowKey(row.user) : undefined;
    if (key !== undefined && journal.takeOver(row.row, row.line, key)) {
      onTakenOver();
      return undefined;
    }
    journal.intend(row.row);
    const mayHaveBeenSent = journal.isCorrected || row.row <= journal.mayBeSent;
    return mayHaveBeenSent ? { ...row, mayHaveBeenSent } : row;
  };
}
