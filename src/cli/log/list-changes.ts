import type { CommandContext } from '../context/context.ts';
import type { LoggedChange } from './log-documents.ts';
import { type LogEntry, readLog } from './read-log.ts';
import { changedBy, searchRuns } from './search-runs.ts';

/** Counts of what a list of changes does not cover. */
export interface Unread {
  /** Lines that are not valid log lines. */
  lines: number;
  /** Runs that could not be searched for the user, because there is no list of their users: it is gone, or they did not end. */
  runs: number;
}

/**
 * Yields the logged changes of a user, by a command, or since a time (ISO 8601 in UTC), latest first, one page per log file. Counts
 * in `unread` what could not be read.
 */
export async function* listChanges(
  context: CommandContext,
  { user, command, since }: { [Name in 'user' | 'command' | 'since']?: string | undefined },
  unread: Unread,
): AsyncGenerator<LoggedChange[]> {
  const search = user === undefined ? undefined : searchRuns(context, user);
  for (const entries of readLog(context, () => (unread.lines += 1))) {
    const wanted = entries.filter(
      ({ begun }) =>
        (!('is_sending' in begun) || begun.is_sending) &&
        (command === undefined || begun.command === command) &&
        (since === undefined || begun.time >= since),
    );
    const found: LoggedChange[] = [];
    for (const entry of wanted) {
      const change = changeOf(entry);
      if (!search || change.user_id === user) found.push(change);
      if (!search || !('directory' in entry.begun)) continue;
      const isFound = await search(entry.begun);
      if (isFound) found.push(change);
      if (isFound === undefined) unread.runs += 1;
    }
    yield found;
  }
}

const ofOne: readonly string[] = ['created', 'updated', 'disabled'];

function changeOf({ begun, ended }: LogEntry): LoggedChange {
  const { time, command, profile, target } = begun;
  const outcome = ended?.outcome ?? 'begun';
  const circumstances = { time, command, outcome, code: ended?.code ?? null, profile, target };
  if ('directory' in begun) {
    const rows = ended?.rows ?? null;
    const changed = rows && changedBy(rows);
    return { ...circumstances, user_id: null, changed, rows, directory: begun.directory };
  }
  const changed = ofOne.includes(outcome) ? 1 : outcome === 'failed' ? 0 : null;
  const user_id = ended?.user_id ?? begun.user_id;
  return { ...circumstances, user_id, changed, rows: null, directory: null };
}
