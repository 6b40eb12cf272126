import type { Calls } from '../../client/calls.ts';
import { createSeenIds } from '../../client/seen-ids.ts';
import { parseTime } from '../../contract/time.ts';
import type { User } from '../../contract/wire.ts';
import type { Journal } from '../journal/journal.ts';
import { callApi, type RunControl } from './call-api.ts';

/** What a job knows of the users that it made, and of the rows that it sent. */
export interface JobMemory {
  /** Rows that may have been sent are looked up, and none is sent. */
  readonly isOnlyAsking?: boolean;
  /** To be called before each sending of a row that could become two users. */
  intend(row: number): Promise<void>;
  /** False for the id of a user whom another row has just got: the answer was for that row. */
  isNew(userId: string): boolean;
  /** Takes a user who was found for a row; false when another row of the job has this user. */
  claim(row: number, userId: string): boolean;
  /** True for a user whom an earlier run created, and could not disable. */
  stayedEnabled(userId: string): boolean;
  /** True when a user who was found for a row that may have been sent was created within the time of the job. */
  madeByThisJob(user: User): Promise<boolean>;
}

/** Ids of users that are remembered at least: an answer that goes astray does so at once. */
const remembered = 4096;

/**
 * Opens the memory of a job. `longest`: milliseconds after which a request has arrived or never will. Times are compared
 * with that of a user whom the job is known to have created: both are the tenant's, whatever its clock and zone.
 */
export function createJobMemory(
  journal: Journal,
  client: Pick<Calls, 'getUser'> | undefined,
  control: RunControl,
  { now, longest }: { now: () => number; longest: number },
): JobMemory {
  const claimed = new Map<string, number>();
  let start: Promise<number | undefined> | undefined;

  /** When the job created its first user, as the tenant says; `undefined` where nobody knows. */
  async function firstCreation(): Promise<number | undefined> {
    const userId = journal.users.firstCreated();
    if (userId === undefined || !client) return undefined;
    const found = await callApi(control, 'lookUp', () => client.getUser(userId));
    return found.kind === 'answered' ? parseTime(found.answer.created_at) : undefined;
  }

  return {
    intend: (row) => journal.intendExactly(row, now() + longest),
    isNew: createSeenIds(remembered),
    claim(row, userId) {
      const other = claimed.get(userId) ?? journal.users.rowOf(userId);
      if (other !== undefined && other !== row) return false;
      claimed.set(userId, row);
      return true;
    },
    stayedEnabled: (userId) => journal.users.stayedEnabled(userId),
    async madeByThisJob(user) {
      start ??= firstCreation();
      const first = await start;
      if (first === undefined) start = undefined;
      const created = parseTime(user.created_at);
      // Rows that were sent together with the first may have arrived before it.
      return first !== undefined && created !== undefined && created >= first - longest;
    },
  };
}
