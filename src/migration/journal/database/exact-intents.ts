import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JournalDatabase } from './database.ts';

/**
 * What the intent of a row, the column `kind`, stands for. `own`: its request may have been sent, and the intent was written just
 * before. `marked`: the high-water mark of an earlier run covered the row, which says nothing about one that is sent with an intent of
 * its own. `earlier`: a request of a file before the correction may have been for its user. `both`: the last two, which are bits. `own`
 * replaces them, and is withdrawn with them: such a row was looked up before it was sent.
 */
export const intentKinds = { own: 0, marked: 1, earlier: 2, both: 3 } as const;

/** SQL: true for the intent of a row that a run may have sent, and not only one of an earlier file. */
export const isOfFileSql = `kind <> ${intentKinds.earlier}`;

const { own, marked, earlier } = intentKinds;

/**
 * Opens the exact intents of a journal: rows recorded one by one, because sending them twice could create two users. `save` runs its
 * argument and commits.
 */
export function createExactIntents(connection: JournalDatabase, save: (insert: () => void) => void) {
  const insertIntent = connection.prepare(`INSERT OR REPLACE INTO exact_intents VALUES (?, ?, ${own})`);
  const deleteIntent = connection.prepare('DELETE FROM exact_intents WHERE row = ?');
  const intentOf = connection.prepare('SELECT arrives_until, kind FROM exact_intents WHERE row = ?');
  const find = (row: number) => intentOf.get(row) as { arrives_until: number; kind: number } | undefined;
  let waiting: [row: number, arrivesUntil: number][] = [];
  let saved: Promise<void> | undefined;

  async function saveAll(): Promise<void> {
    await nextTurn();
    const intents = waiting;
    waiting = [];
    saved = undefined;
    save(() => {
      for (const intent of intents) insertIntent.run(...intent);
    });
  }

  return {
    /** Resolves when the intent is on disk; the rows of one turn of the event loop share a commit. */
    add(row: number, arrivesUntil: number): Promise<void> {
      waiting.push([row, arrivesUntil]);
      saved ??= saveAll();
      return saved;
    },
    /**
     * Returns until when a request of an earlier run can still arrive; `undefined` if there was none. `isMarked`: the row would have
     * been sent under the high-water mark.
     */
    arrivesUntil(row: number, isMarked: boolean): number | undefined {
      const found = find(row);
      return found && (isMarked || found.kind !== marked) ? found.arrives_until : undefined;
    },
    /** True if a run may have sent the row of this file, and not only one of the file before its correction. */
    isOfFile: (row: number) => (find(row)?.kind ?? earlier) !== earlier,
    remove: (row: number) => void deleteIntent.run(row),
  };
}
