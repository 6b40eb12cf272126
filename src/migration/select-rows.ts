import type { CheckedRow } from './checked-row.ts';
import { keyOf } from './existing/find-holders.ts';
import type { Journal } from './journal/journal.ts';
import { isOfShard, type Shard } from './shard.ts';

/**
 * Leaves out the rows of other shares and those that have an outcome, marks those that an earlier run may have sent,
 * and has the journal know of each row before it is sent.
 */
export async function* selectRows(
  rows: AsyncIterable<CheckedRow>,
  journal: Journal,
  shard: Shard | undefined,
  onTakenOver: () => void,
): AsyncGenerator<CheckedRow, void> {
  const isFirstRun = journal.run === 1;
  for await (const row of rows) {
    if (!isOfShard(row.row, shard)) continue;
    if (!isFirstRun && journal.isSettled(row.row)) continue;
    if (row.user === undefined) {
      yield row;
      continue;
    }
    const key = journal.isMended ? keyOf(row.user) : undefined;
    if (key !== undefined && journal.takeOver(row.row, row.line, key)) {
      onTakenOver();
      continue;
    }
    journal.intend(row.row);
    const isDoubtful = journal.isMended || row.row <= journal.mayBeSent;
    yield isDoubtful ? { ...row, isDoubtful } : row;
  }
}
