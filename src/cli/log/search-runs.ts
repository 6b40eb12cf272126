import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { recogniseFile } from '../../migration/directory/job-files.ts';
import { userResults } from '../../migration/model/outcome.ts';
import { errorCode } from '../../text/error-code.ts';
import type { CommandContext } from '../context/context.ts';
import type { Ended, RunBegun } from './log-line.ts';
import { readLog } from './read-log.ts';

type Rows = NonNullable<Ended['rows']>;

/** A run that sends, and its counts, which include those of earlier runs of the job; `undefined` if no end is in the log. */
interface Run {
  id: string;
  /** Tenant and file as a text, which is the same for runs of one job. */
  job: string;
  rows: Rows | undefined;
}

/** Which lists of a directory contain the user as changed. `current`: `undefined` if there is no such list. */
interface Lists {
  current: boolean | undefined;
  archived: boolean[];
}

const changing = userResults.filter((result) => result !== 'existing');

/** Returns the number of users whom a job changed. */
export function changedBy(rows: Rows): number {
  return changing.reduce((sum, result) => sum + (rows[result] ?? 0), 0);
}

/**
 * Returns a function that says if a run may have changed the user: `undefined` if that cannot be known, because there is no list of
 * its users. The lists of a job do not say which of its runs changed a user, so only runs are ruled out that cannot have done so.
 */
export function searchRuns(
  context: CommandContext,
  userId: string,
): (run: RunBegun) => Promise<boolean | undefined> {
  const logged = runsOf(context);
  const known = new Map<string, Promise<Lists>>();
  return async ({ id, directory }) => {
    const runs = logged.get(directory) ?? [];
    const at = runs.findIndex((run) => run.id === id);
    const [run, before] = [runs[at], runs[at + 1]];
    const rows = run?.rows;
    if (rows && changedBy(rows) === 0) return false;
    const lists = known.get(directory) ?? readLists(directory, userId);
    known.set(directory, lists);
    const { current, archived } = await lists;
    const isListed = current || archived.includes(true);
    const isLatest = !runs.slice(0, at).some(hasEnded);
    // A run writes its list when it ends.
    if (current === undefined || (isLatest && !rows)) {
      if (!isListed) return undefined;
      return current === undefined || !runs.slice(at + 1).some(hasEnded);
    }
    if (!isListed || (isLatest && !current)) return false;
    const isContinued = archived.length === 0 && rows && before?.rows && before.job === run?.job;
    // It has changed nobody if the counts are those of the run before.
    return !isContinued || changing.some((result) => rows[result] !== before.rows?.[result]);
  };
}

const hasEnded = ({ rows }: Run) => rows !== undefined;

/** Returns the runs of each directory that send, the latest first. */
function runsOf(context: CommandContext): Map<string, Run[]> {
  const runs = new Map<string, Run[]>();
  for (const entries of readLog(context, () => {})) {
    for (const { begun, ended } of entries) {
      if (!('directory' in begun) || !begun.is_sending) continue;
      const known = runs.get(begun.directory) ?? [];
      const job = JSON.stringify([begun.target, begun.source]);
      known.push({ id: begun.id, job, rows: ended?.rows });
      runs.set(begun.directory, known);
    }
  }
  return runs;
}

async function readLists(directory: string, userId: string): Promise<Lists> {
  const lists: Lists = { current: undefined, archived: [] };
  for (const found of namesIn(directory)) {
    const file = recogniseFile(found);
    if (file?.name !== 'users.csv' || file.state === 'draft') continue;
    const isFound = await isChanged(join(directory, found), userId);
    if (file.state === 'current') lists.current = isFound;
    else if (isFound !== undefined) lists.archived.push(isFound);
  }
  return lists;
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
