import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { JournalDatabase } from './database.ts';
import { readFact } from './read-job.ts';

/** How many rows came to a result. */
export interface Count {
  result: FinalOutcome['result'];
  algorithm: HashAlgorithm | null;
  code: string | null;
  rows: number;
  /** Of these: users whose answers were lost, and who were found by look-up. */
  found: number;
}

/**
 * Facts about a job that runs store: how a dry run asked the tenant, what its canaries came to, when the last row had an
 * outcome, how many users may be written, what it is about to do (of a run that ended early: what it would have done with the
 * rows that it read), the issues of its rows, its command line, what it came to when it last ended in good order, and when its personal data was deleted.
 */
export type FactName =
  | 'asked'
  | 'canaries'
  | 'completed'
  | 'consent'
  | 'preview'
  | 'issues'
  | 'command'
  | 'ended'
  | 'purged'
  | 'ramp';

/** A run of the job, as it stands in the journal. */
export interface Run {
  /** Epoch milliseconds. */
  started_at: number;
  /** What it took; `null` for the run under way, and for one that was cut off. */
  seconds: number | null;
  note: string;
}

/** What can be read of a job, whether a run of it lasts or not. */
export interface JournalReading {
  /** What the journal holds, outcomes not yet on disk included. */
  counts(): Count[];
  /** A fact that was set; `undefined` where none was. */
  get(name: FactName | 'job'): unknown;
  /** Every run of the job, the last one last. */
  runs(): Run[];
}

/** Reads an open database. `flush` puts on disk what waits. */
export function readJournal(connection: JournalDatabase, flush: () => void = () => {}): JournalReading {
  return {
    counts() {
      flush();
      return connection
        .prepare(
          'SELECT result, algorithm, code, count(*) AS rows, count(found_by_look_up) AS found FROM outcomes GROUP BY result, algorithm, code',
        )
        .all() as Count[];
    },
    get: (fact) => readFact(connection, fact),
    runs: () => connection.prepare('SELECT started_at, seconds, note FROM runs ORDER BY run').all() as Run[],
  };
}

/** Finds users that the journal has as outcomes. */
export interface JobUsers {
  /** The id of one of the first users that the job created; `undefined` where it has none yet. */
  firstCreated(): string | undefined;
  /** The row that has this user. */
  rowOf(userId: string): number | undefined;
  /** True for a user whom an earlier run of the job created, and could not disable as the file says. */
  stayedEnabled(userId: string): boolean;
}

/** Searches the outcomes of a journal; `flush` inserts those that wait. */
export function searchUsers(connection: JournalDatabase, flush: () => void): JobUsers {
  // The first row of the file was sent first; of a corrected file those of before were.
  const first = `SELECT user_id FROM (SELECT 0 AS age, row, user_id, result FROM earlier UNION ALL
    SELECT 1, row, user_id, result FROM outcomes) WHERE result = 'created' ORDER BY age, row LIMIT 1`;

  return {
    firstCreated() {
      flush();
      return (connection.prepare(first).get() as { user_id: string } | undefined)?.user_id;
    },
    rowOf(userId) {
      flush();
      const found = connection.prepare('SELECT row FROM outcomes WHERE user_id = ?').get(userId);
      return (found as { row: number } | undefined)?.row;
    },
    stayedEnabled: (userId) =>
      connection.prepare("SELECT 1 FROM earlier WHERE result = 'failed' AND user_id = ?").get(userId) !==
      undefined,
  };
}
