import type { Calls } from '../../client/calls.ts';
import { createSeenIds } from '../../client/seen-ids.ts';
import { parseTime } from '../../contract/time.ts';
import type { User } from '../../contract/wire.ts';
import type { Journal } from '../journal/journal.ts';
import { callApi, completing, type RunControl } from './call-api.ts';

/** What a job remembers of the users that it created, and of the rows that it sent. */
export interface JobMemory {
  /** If true, rows that may have been sent are looked up, and no row is sent. */
  readonly isOnlyAsking?: boolean;
  /** Must be called before each sending of a row that could create two users; resolves when the intent is on disk. */
  intend(row: number): Promise<void>;
  /** False if another row has just got this user id: the answer was meant for that row. */
  isNew(userId: string): boolean;
  /** Assigns a user who was found to a row; false if another row of the job already has this user. */
  claim(row: number, userId: string): boolean;
  /** True if an earlier run created the user, but could not disable them. */
  stayedEnabled(userId: string): boolean;
  /** Returns the ID of such a user of this row, if it is known. */
  enabledUserOf(row: number): string | undefined;
  /**
   * Says if a user found for a row that may have been sent was created since the job began. `stopped`, `unanswered`: the look-up
   * that tells this was not made, or not answered.
   */
  madeByThisJob(user: User): Promise<boolean | 'stopped' | 'unanswered'>;
}

/** Minimum number of user ids that are remembered; an answer that reaches the wrong row does so right away. */
const remembered = 4096;

/**
 * Creates the memory of a job. `arrival`: milliseconds after which a call of this run has arrived or never will; `longest`: the
 * longest time limit of a request in any run of the job. Creation times are compared with that of a user whom the job is known to
 * have created: both come from the tenant, whatever its clock and time zone.
 */
export function createJobMemory(
  journal: Journal,
  client: Pick<Calls, 'getUser'> | undefined,
  control: RunControl,
  { now, arrival, longest }: { now: () => number; arrival: number; longest: number },
): JobMemory {
  const claimed = new Map<string, number>();
  const isNew = createSeenIds(remembered);
  let start: ReturnType<typeof firstCreation> | undefined;

  /** Returns when the job created its first user, by the tenant's clock; `undefined` if there is none. */
  async function firstCreation(): Promise<number | 'stopped' | 'unanswered' | undefined> {
    if (!client) return undefined;
    const ids = journal.users.firstCreated();
    const found = await Promise.all(
      ids.map((id) => callApi(completing(control), 'repeatable', () => client.getUser(id))),
    );
    if (found.some(({ kind }) => kind === 'stopped')) return 'stopped';
    if (found.some(({ kind }) => kind !== 'answered')) return 'unanswered';
    const times = found.map((one) =>
      one.kind === 'answered' ? parseTime(one.answer.created_at) : undefined,
    );
    const known = times.filter((time) => time !== undefined);
    return known.length > 0 ? Math.min(...known) : undefined;
  }

  return {
    intend: (row) => journal.intendExactly(row, now() + arrival),
    isNew,
    claim(row, userId) {
      const other = claimed.get(userId) ?? journal.users.rowOf(userId);
      if (other !== undefined) return other === row;
      // The answer to another row of this run had this user, and is not in the journal yet; or it comes later.
      if (!isNew(userId)) return false;
      claimed.set(userId, row);
      return true;
    },
    stayedEnabled: journal.users.stayedEnabled,
    enabledUserOf: journal.users.enabledUserOf,
    async madeByThisJob(user) {
      start ??= firstCreation();
      const first = await start;
      if (typeof first !== 'number') start = undefined;
      if (first === 'stopped' || first === 'unanswered') return first;
      const created = parseTime(user.created_at);
      // Rows that were sent together with the first may have arrived before it.
      return first !== undefined && created !== undefined && created >= first - longest;
    },
  };
}
