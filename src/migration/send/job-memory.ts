import type { Calls } from '../../client/calls.ts';
import { createSeenIds } from '../../client/seen-ids.ts';
import { parseTime, zonesWithTwice } from '../../contract/time.ts';
import type { User } from '../../contract/wire.ts';
import { compareWithMade, compareWithUnanswered, type SentDifference } from '../actions/decide-corrected.ts';
import type { Journal } from '../journal/journal.ts';
import type { ValidRow } from '../rows/validate-rows.ts';
import { callApi, completing, type RunControl } from './call-api.ts';
import { type FoundPerson, saysNobody } from './existing-user.ts';

/** Minimum number of user ids that are remembered; an answer that reaches the wrong row does so right away. */
const remembered = 4096;

/** Number of users who are asked for, one after the other, if the first one of the job is gone from the tenant. */
const mostAsked = 20;

/** Milliseconds by which a tenant's clock may be set back: its times have no offset. */
const setBack = 3_600_000;

export type JobMemory = ReturnType<typeof createJobMemory>;

/**
 * Creates the memory of a job: of the users that it created, and of the rows that it sent. `arrival`: milliseconds after which a
 * call of this run has arrived or never will; `longest`: the longest time limit of a request in any run of the job. Creation times
 * are compared with that of a user whom the job is known to have created: both come from the tenant, whatever its clock and time
 * zone.
 */
export function createJobMemory(
  journal: Journal,
  client: Pick<Calls, 'getUser'> | undefined,
  control: RunControl,
  { now, arrival, longest }: { now: () => number; arrival: number; longest: number },
) {
  const claimed = new Map<string, number>();
  const isNew = createSeenIds(remembered);
  let start: ReturnType<typeof firstCreation> | undefined;
  /** Time zones in which the time of the first creation occurs twice: the tenant may be in one of them. */
  let zones: string[] | undefined;

  /** Returns when a user was created, by the tenant's clock; `gone` if there is no such user any more. */
  async function creationOf(id: string, { getUser }: Pick<Calls, 'getUser'>) {
    const found = await callApi(completing(control), 'repeatable', () => getUser(id));
    if (found.kind === 'answered') return parseTime(found.answer.created_at);
    if (found.kind === 'refused' && saysNobody('getUser', found.error)) return 'gone';
    return found.kind === 'stopped' ? 'stopped' : 'unanswered';
  }

  /** Returns when the job created its first user, by the tenant's clock; `undefined` if there is none. */
  async function firstCreation(): Promise<number | 'stopped' | 'unanswered' | undefined> {
    if (!client) return undefined;
    const times = await Promise.all(journal.users.firstCreated().map((id) => creationOf(id, client)));
    // The users of the next rows were created soon after the one who is gone.
    const others = times.includes('gone') ? journal.users.firstRows(mostAsked) : [];
    for (const id of others) {
      const time = await creationOf(id, client);
      times.push(time);
      if (time !== 'gone') break;
    }
    if (times.includes('stopped')) return 'stopped';
    if (times.includes('unanswered')) return 'unanswered';
    const known = times.filter((time) => typeof time === 'number');
    return known.length > 0 ? Math.min(...known) : undefined;
  }

  return {
    journal,
    /** Must be called before each sending of a row that could create two users; resolves when the intent is on disk. */
    intend: (row: number) => journal.intendExactly(row, now() + arrival),
    /** False if another row has just got this user id: the answer was meant for that row. */
    isNew,
    /** Assigns a user who was found to a row; false if another row of the job already has this user. */
    claim(row: number, userId: string): boolean {
      const other = claimed.get(userId) ?? journal.users.rowOf(userId);
      if (other !== undefined) return other === row;
      // The answer to another row of this run had this user, and is not in the journal yet; or it comes later.
      if (!isNew(userId)) return false;
      claimed.set(userId, row);
      return true;
    },
    /** Returns how a row differs from what was sent for its user, if an earlier file made them for another row. */
    compareEarlier(row: ValidRow, found: FoundPerson): SentDifference | undefined {
      const made = journal.users.madeEarlier(found.user.user_id);
      return made && compareWithMade(row, made, found, journal.fingerprints.open());
    },
    /**
     * Returns how a user who was found may differ from a row that an earlier file had too, and that got no answer. `isSent`: this run
     * has sent the row.
     */
    compareUnanswered(row: ValidRow, isSent: boolean): Partial<SentDifference> {
      const fingerprints = journal.fingerprints.open();
      const { values } = fingerprints.ofValues(row.user, row.isDisabled);
      const mayHaveBeenSent = isSent || journal.isOfFile(row.row);
      return compareWithUnanswered(row, journal.users.unanswered(values), mayHaveBeenSent, fingerprints);
    },
    /**
     * Says if a user found for a row that may have been sent was created since the job began. `stopped`: the look-up that tells this
     * was not made; `unanswered`: it was not answered, or does not tell.
     */
    async madeByThisJob(user: User): Promise<boolean | 'stopped' | 'unanswered'> {
      start ??= firstCreation();
      const first = await start;
      if (typeof first !== 'number') start = undefined;
      if (first === 'stopped' || first === 'unanswered') return first;
      const created = parseTime(user.created_at);
      if (first === undefined || created === undefined) return false;
      // Rows that were sent together with the first may have arrived before it.
      if (created >= first - longest) return true;
      if (created < first - longest - setBack) return false;
      zones ??= zonesWithTwice(first);
      return zonesWithTwice(created, zones).length > 0 ? 'unanswered' : false;
    },
  };
}
