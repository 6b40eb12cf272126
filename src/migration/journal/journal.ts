import type { JobDirectoryError } from '../model/errors.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { CommitCount } from './database/commit-count.ts';
import { type JournalDatabase, unwritable } from './database/database.ts';
import { createExactIntents } from './database/exact-intents.ts';
import { type JobFacts, readFacts, storeFact } from './database/job-facts.ts';
import type { JobLock, RunState } from './database/lock.ts';
import { storeFingerprints } from './database/row-fingerprints.ts';
import type { OutcomeRow } from './database/tables.ts';
import { attachShard, createdId, createInserts } from './insert-outcomes.ts';
import { searchUsers } from './reading/job-users.ts';
import type { Marks } from './resume.ts';

/** Maximum and minimum number of rows that one intent covers: as many as are sent in about a second. */
const most = 1024;
const fewest = 32;
/** Milliseconds or outcomes after which a commit is due: more than an intent covers, so most are committed with an intent. */
const flushEvery = 500;
const flushAfter = 2 * most;

export type Journal = ReturnType<typeof createJournal>;

/**
 * Creates the journal of an open, locked database, the memory of a job: what may have been sent is on disk before it is sent, and its
 * outcome follows. Intents are a high-water mark: one commit records that the next rows may have been sent, and includes the
 * outcomes since the last commit. Throws a `JobDirectoryError` if it cannot be written, and accepts nothing more from then on.
 * `now`: epoch milliseconds.
 */
export function createJournal(
  connection: JournalDatabase,
  state: { directory: string; run: number; isCorrected: boolean; lock: JobLock; commits: CommitCount },
  now: () => number,
) {
  const inserts = createInserts(connection);
  const withOutcome = connection.prepare('SELECT result, code FROM outcomes WHERE row = ?');
  const exactIntents = createExactIntents(connection, (insert) => {
    add(insert);
    commit(mark);
  });
  let mark = 0;
  let step = fewest;
  /** Number of outcomes in the open transaction, and whether there is one. */
  let recorded = 0;
  let isOpen = false;
  let flushed = now();
  let intended = flushed;
  let writeError: JobDirectoryError | undefined;
  const users = searchUsers(connection, () => write(inserts.flush));
  /** True once a user was created: the creation time of the first one tells the next run which others are of this job. */
  let hasCreated = users.firstCreated().length > 0;

  /** After a failure nothing more is written: what could not be written must stay unknown to the next run. */
  function write(work: () => void): void {
    if (writeError) throw writeError;
    try {
      work();
    } catch (failure) {
      writeError = unwritable(state.directory, failure);
      throw writeError;
    }
  }

  const outcomeOf = (row: number) => withOutcome.get(row) as Pick<OutcomeRow, 'result' | 'code'> | undefined;

  function begin(): void {
    if (!isOpen) connection.exec('BEGIN');
    isOpen = true;
  }

  /** Adds something to the open transaction, or to a new one. */
  function add(work: () => void): void {
    write(() => {
      begin();
      work();
    });
  }

  function commit(upTo: number): void {
    flushed = now();
    if (!isOpen && upTo <= mark && !writeError) return;
    write(() => {
      begin();
      inserts.flush();
      if (upTo > mark) storeFact(connection, 'may_be_sent', upTo);
      state.commits.commit();
      isOpen = false;
    });
    recorded = 0;
    mark = Math.max(mark, upTo);
  }

  /**
   * Records an outcome; it is on disk soon after, and before any later intent is. It goes into the open transaction early: outcomes
   * that wait in memory would survive two garbage collections.
   */
  function record(outcome: FinalOutcome): void {
    const userId = createdId(outcome);
    add(() => inserts.add(outcome));
    recorded += 1;
    // The clock may be set back, hence `Math.abs`.
    if (userId !== undefined && !hasCreated) noteCreated(userId);
    else if (recorded >= flushAfter || Math.abs(now() - flushed) > flushEvery) commit(mark);
  }

  /** Stores the ID of the first user whom the job created, at once; does nothing for any other. */
  function noteCreated(userId: string): void {
    if (hasCreated) return;
    add(() => storeFact(connection, 'first_created', [userId]));
    commit(mark);
    hasCreated = true;
  }

  const facts = () => readFacts(connection);
  const fingerprints = storeFingerprints(connection, add);

  return {
    facts,
    /** Publishes the progress of the run for other processes. */
    report: (read: () => Omit<RunState, 'canaries'>, isAtOnce?: boolean) =>
      state.lock.report(() => ({ ...read(), canaries: facts().canaries ?? [] }), isAtOnce),
    /** True if the file was corrected since, so that its rows are identified by their keys only. */
    isCorrected: state.isCorrected,
    /** 1 for the first run of the job. */
    run: state.run,
    /** Returns the recorded result of a row, which is final, with its code; `undefined` if it has none. A user who is not as the row of a corrected file says has one, too. */
    outcomeOf,
    /** Must be called before a row is sent, in the order of the rows. */
    intend(row: number): void {
      if (row <= mark) return;
      const isFast = now() - intended < 1000;
      intended = now();
      step = isFast ? Math.min(step * 2, most) : Math.max(step / 2, fewest);
      commit(row + step - 1);
    },
    /**
     * Must be called before a row is sent whose user could be created twice. Resolves when the intent is on disk; rows that come
     * together share a commit. `arrivesUntil`: epoch milliseconds after which the request can no longer arrive.
     */
    intendExactly: exactIntents.add,
    arrivesUntil: exactIntents.arrivesUntil,
    isOfFile: exactIntents.isOfFile,
    /** Removes the exact intent of a row whose request had no effect. */
    withdraw: (row: number) => add(() => exactIntents.remove(row)),
    /** After a run that ended in good order: of the rows without an outcome, only those up to `upTo` may have been sent. */
    lowerWatermark(upTo: number): void {
      commit(mark);
      write(() => storeFact(connection, 'may_be_sent', upTo));
    },
    noteCreated,
    record,
    /** Commits what was recorded, and returns the database for reading. */
    committed(): JournalDatabase {
      commit(mark);
      return connection;
    },
    /** Sets a fact about the job, which replaces an earlier one of this name. */
    set<Name extends keyof JobFacts>(name: Name, value: JobFacts[Name]): void {
      commit(mark);
      write(() => storeFact(connection, name, value));
    },
    fingerprints,
    users,
    /** Adds the content of another journal's file, unchanged. */
    attach: (path: string, marks: Marks) => attachShard(connection, path, marks),
    /** Commits everything and closes. `seconds`: duration of this run. Never throws: what cannot be written stays unknown. */
    close(seconds: number): void {
      try {
        commit(mark);
        connection.prepare('UPDATE runs SET seconds = ? WHERE run = ?').run(seconds, state.run);
        state.commits.end();
        // Removes the log: beside a journal that nobody has locked, it means that the run was cut off.
        connection.exec('PRAGMA journal_mode = DELETE');
      } catch {
        // The failure was reported where it first occurred.
        state.commits.close();
      }
      state.lock.release();
      connection.close();
    },
  };
}
