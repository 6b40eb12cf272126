import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JournalDatabase } from './database.ts';

/**
 * Opens the exact intents of a journal: rows recorded one by one, because sending them twice could create two users. `save` runs its
 * argument and commits.
 */
export function createExactIntents(connection: JournalDatabase, save: (insert: () => void) => void) {
  const insertIntent = connection.prepare('INSERT OR REPLACE INTO exact_intents VALUES (?, ?, 0)');
  const deleteIntent = connection.prepare('DELETE FROM exact_intents WHERE row = ?');
  const intentOf = connection.prepare('SELECT arrives_until, is_marked FROM exact_intents WHERE row = ?');
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
      const found = intentOf.get(row) as { arrives_until: number; is_marked: number } | undefined;
      return found && (isMarked || !found.is_marked) ? found.arrives_until : undefined;
    },
    /** True if the row has an intent. */
    has: (row: number) => intentOf.get(row) !== undefined,
    remove: (row: number) => void deleteIntent.run(row),
  };
}
