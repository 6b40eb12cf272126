import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { recogniseFile } from '../../migration/directory/job-files.ts';
import { userResults } from '../../migration/model/outcome.ts';
import { errorCode } from '../../text/error-code.ts';
import type { CommandContext } from '../context/context.ts';
import { ofSelectedTenant } from './of-selected-tenant.ts';
import { type LogEntry, type LoggedChange, readLog } from './read-log.ts';

/** Counts of what a list of changes does not cover. */
export interface Unread {
  /** Lines that are not valid log lines. */
  lines: number;
  /** Runs that could not be searched for the user, because there is no list of their users: it is gone, or they did not end. */
  runs: number;
}

/**
 * Yields the logged changes of a user, by a command, or since a time (ISO 8601 in UTC), latest first, one page per log file; only
 * those in the tenant that an option selects. Counts in `unread` what could not be read.
 */
export async function* listChanges(
  context: CommandContext,
  { user, command, since }: { [Name in 'user' | 'command' | 'since']?: string | undefined },
  unread: Unread,
): AsyncGenerator<LoggedChange[]> {
  const listed = new Set<string>();
  const isSelected = ofSelectedTenant(context);
  const search = user === undefined ? undefined : createSearch(user, listed);
  for (const entries of readLog(context, () => (unread.lines += 1))) {
    const found: LoggedChange[] = [];
    for (const entry of entries) {
      const { begun } = entry;
      if (('is_sending' in begun && !begun.is_sending) || !isSelected(begun)) continue;
      const change = changeOf(entry);
      // A run writes its list when it ends, also one that is not asked for.
      if (change.rows && change.directory !== null) listed.add(change.directory);
      if ((command !== undefined && begun.command !== command) || (since !== undefined && begun.time < since))
        continue;
      const isFound = !search || change.user_id === user || (await search(change));
      if (isFound) found.push(change);
      else if (isFound === undefined) unread.runs += 1;
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
    const changed = ended?.changed ?? (rows && changedByJob(rows));
    return { ...circumstances, user_id: null, changed, rows, directory: begun.directory };
  }
  const changed = ofOne.includes(outcome) ? 1 : outcome === 'failed' ? 0 : null;
  const user_id = ended?.user_id ?? begun.user_id;
  return { ...circumstances, user_id, changed, rows: null, directory: null };
}

/** Returns the number of users whom a job has changed: the best that is known of a run that did not log how many it changed itself. */
function changedByJob(rows: NonNullable<LoggedChange['rows']>): number {
  return userResults.reduce((sum, name) => sum + (name === 'existing' ? 0 : (rows[name] ?? 0)), 0);
}

/**
 * Returns a function that says, of the changes from the latest on, whether it is a run that may have changed the user: `undefined`
 * if that cannot be known, because there is no list of its users. The runs of a job share its lists, which do not say which of the
 * runs changed a user. `listed`: directories in which this run or a later one has written its list.
 */
function createSearch(userId: string, listed: ReadonlySet<string>) {
  const known = new Map<string, Promise<boolean | undefined>>();
  return async ({ directory, changed }: LoggedChange): Promise<boolean | undefined> => {
    if (directory === null) return false;
    if (changed === 0) return false;
    const isListed = known.get(directory) ?? isInLists(directory, userId);
    known.set(directory, isListed);
    return (await isListed) || (listed.has(directory) ? isListed : undefined);
  };
}

/** True if a list of a job, also an archived one, contains the user as changed; `undefined` if it has no list of its last run. */
async function isInLists(directory: string, userId: string): Promise<boolean | undefined> {
  let isRead = false;
  for (const found of namesIn(directory)) {
    const file = recogniseFile(found);
    if (file?.name !== 'users.csv' || file.state === 'draft') continue;
    const isFound = await isInList(join(directory, found), userId);
    if (isFound) return true;
    if (file.state === 'current') isRead = isFound === false;
  }
  return isRead ? false : undefined;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (failure) {
    if (errorCode(failure) === undefined) throw failure;
    return [];
  }
}

/** True if a list contains the user as changed; `undefined` if it cannot be read. */
async function isInList(file: string, userId: string): Promise<boolean | undefined> {
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
