import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathIn } from '../../migration/directory/job-files.ts';
import { userResults } from '../../migration/model/outcome.ts';
import { errorCode } from '../../text/error-code.ts';
import type { CommandContext } from '../context/context.ts';
import type { LoggedChange } from './log-documents.ts';
import { type LogEntry, readLog } from './read-log.ts';

/** Which changes to list. Times are ISO 8601 in UTC. */
export interface ChangeFilter {
  user?: string | undefined;
  command?: string | undefined;
  since?: string | undefined;
}

/** Counts of what a list of changes does not cover. */
export interface Unread {
  /** Lines that are not valid log lines. */
  lines: number;
  /** Runs that could not be searched for the user, because their lists of users are gone. */
  runs: number;
}

/** Yields the logged changes, latest first, one page per log file. Counts in `unread` what could not be read. */
export async function* listChanges(
  context: CommandContext,
  { user, command, since }: ChangeFilter,
  unread: Unread,
): AsyncGenerator<LoggedChange[]> {
  const search = user === undefined ? undefined : searchRuns(user);
  for (const entries of readLog(context, () => (unread.lines += 1))) {
    const changes = entries
      .filter(({ begun }) => !('is_sending' in begun) || begun.is_sending)
      .map(changeOf)
      .filter(
        (change) =>
          (command === undefined || change.command === command) &&
          (since === undefined || change.time >= since),
      );
    const found: LoggedChange[] = [];
    for (const change of changes) {
      if (!search || change.user_id === user) found.push(change);
      if (!search || change.directory === null) continue;
      const isFound = await search(change.directory);
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
    const changed = rows && changing.reduce((sum, result) => sum + (rows[result] ?? 0), 0);
    return { ...circumstances, user_id: null, changed, rows, directory: begun.directory };
  }
  const changed = ofOne.includes(outcome) ? 1 : outcome === 'failed' ? 0 : null;
  const user_id = ended?.user_id ?? begun.user_id;
  return { ...circumstances, user_id, changed, rows: null, directory: null };
}

const changing = userResults.filter((result) => result !== 'existing');

/** Returns a function that says if a job changed the user; `undefined` if its list of users is unreadable. Reads each list once. */
function searchRuns(userId: string): (directory: string) => Promise<boolean | undefined> {
  const known = new Map<string, Promise<boolean | undefined>>();
  return (directory) => {
    const found = known.get(directory) ?? isChanged(pathIn(directory, 'users.csv'), userId);
    known.set(directory, found);
    return found;
  };
}

async function isChanged(file: string, userId: string): Promise<boolean | undefined> {
  const input = createReadStream(file);
  try {
    for await (const line of createInterface({ input })) {
      const [, after] = line.split(`,${userId},`, 2);
      if (after !== undefined && /^(?:created|updated|disabled)(?:,|$)/.test(after)) return true;
    }
    return false;
  } catch (failure) {
    if (errorCode(failure) === undefined) throw failure;
    return undefined;
  } finally {
    input.destroy();
  }
}
