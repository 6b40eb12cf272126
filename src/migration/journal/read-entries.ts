import type { Connection } from './connection.ts';
import type { Entry } from './journal.ts';

const columns = 'row, line, result, algorithm, user_name, external_id, user_id, code, message, hint';
const listLength = 1000;

/** Reads the outcomes of users, or those of all other rows, in the order of their rows, a thousand at a time. */
export function* readEntries(connection: Connection, where: 'users' | 'others'): Generator<Entry[], void> {
  const which = where === 'users' ? "IN ('created', 'existing')" : "NOT IN ('created', 'existing')";
  const page = connection.prepare(
    `SELECT ${columns} FROM outcomes WHERE row > ? AND result ${which} ORDER BY row LIMIT ${listLength}`,
  );
  for (let last = 0; ; ) {
    const entries = page.all(last) as Entry[];
    yield entries;
    last = entries.at(-1)?.row ?? 0;
    if (entries.length < listLength) return;
  }
}
