import type { JobDirectoryError } from '../model/errors.ts';
import type { Job } from '../model/job.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { CommitCount } from './commit-count.ts';
import { type JournalDatabase, unwritable } from './database.ts';
import { createExactIntents } from './exact-intents.ts';
import { exportCsv, type ListColumn } from './export-csv.ts';
import { attachShard, createInserts } from './insert-outcomes.ts';
import { type JobUsers, readEarlierUsers, searchUsers } from './job-users.ts';
import type { JobLock, RunState } from './lock.ts';
import {
  type FactName,
  type JobFacts,
  type JournalReading,
  readFact,
  readJournal,
  storeFact,
} from './read-journal.ts';
import { type StoredFingerprints, storeFingerprints } from './row-fingerprints.ts';

/**
 * The memory of a job: what may have been sent is on disk before it is, and what became of it after. Throws a
 * `JobDirectoryError` when it cannot be written, and takes nothing more from then on.
 */
export interface Journal extends JournalReading {
  /** Rows up to this number may have been sent by an earlier run. */
  readonly mayBeSent: number;
  /** The file was corrected since, so that its rows are recognised by their keys only. */
  readonly isCorrected: boolean;
  /** 1 for the first run of the job. */
  readonly run: number;
  /** What became of a row in an earlier run, which is final; `undefined` where nothing did. */
  resultOf(row: number): FinalOutcome['result'] | undefined;
  /** True for a row that an earlier run may have sent, as far as the journal knows. */
  isUnanswered(row: number): boolean;
  /**
   * A user that the file as it was before has made for this key: its outcome is taken over for the row, once. Not where the
   * external ids say that it was another person.
   */
  takeOver(row: number, line: number, key: string, externalId: string | undefined): boolean;
  /** To be called before a row is sent, in the order of the rows. */
  intend(row: number): void;
  /**
   * To be called before a row is sent whose user could be created twice. Resolves when it is on disk; rows that come together
   * share a commit. `arrivesUntil`: epoch milliseconds after which the request can no longer arrive.
   */
  intendExactly(row: number, arrivesUntil: number): Promise<void>;
  /** Until when a request that an earlier run intended exactly can still arrive; `undefined` where there was none. */
  arrivesUntil(row: number): number | undefined;
  /** A row that was intended exactly had no effect in the end. */
  withdraw(row: number): void;
  /** After a run that ended in good order: of the rows without an outcome, only those up to this one may have been sent. */
  lowerWatermark(upTo: number): void;
  /** Records an outcome; it is on disk soon after, and before any later intent is. */
  record(outcome: FinalOutcome): void;
  /** Puts what was recorded on disk now, where nothing may come for long that would take it along. */
  flush(): void;
  /** Tells other processes how far the run is. */
  tell(read: () => Omit<RunState, 'canaries'>, isAtOnce?: boolean): void;
  /** Outcomes as CSV lines without a header, in the order of their rows, in texts of many lines. */
  list(where: 'users' | 'others', columns: readonly ListColumn[]): Iterable<string>;
  /** Sets a fact about the job, instead of what was set under this name before. */
  set<Name extends FactName>(name: Name, value: JobFacts[Name]): void;
  /** The users of the job. */
  readonly users: JobUsers;
  /** What the rows of the file were. */
  readonly fingerprints: StoredFingerprints;
  /** Adds what another journal's file holds, as it is. */
  attach(path: string): void;
  /** Sets what the job is from now on. */
  setJob(job: Job): void;
  /** Puts everything on disk, and closes. `seconds`: what this run took. Never throws: what cannot be written stays unknown. */
  close(seconds: number): void;
}

/** Rows that one intent covers, at most and at least: as many as are sent in about a second. */
const most = 1024;
const fewest = 32;
/** Milliseconds, or outcomes, since the last commit that call for one: more than an intent covers, so most go along with one. */
const flushEvery = 500;
const flushAfter = 2 * most;

/**
 * Makes the journal of an open, locked database. Intents are a high-water mark: one commit says that the next rows may
 * have been sent, and takes along the outcomes since the last. `now`: epoch milliseconds.
 */
export function createJournal(
  connection: JournalDatabase,
  state: { directory: string; run: number; isCorrected: boolean; lock: JobLock; commits: CommitCount },
  now: () => number,
): Journal {
  const inserts = createInserts(connection);
  const withOutcome = connection.prepare('SELECT result FROM outcomes WHERE row = ?');
  const earlier = state.isCorrected ? readEarlierUsers(connection) : undefined;
  const mayBeSent = readFact(connection, 'may_be_sent') ?? 0;

  const exactIntents = createExactIntents(connection, state.isCorrected);

  let mark = mayBeSent;
  let step = fewest;
  /** Outcomes in the transaction that is open, if one is. */
  let recorded = 0;
  let isOpen = false;
  /** The time of the first user tells the next run which others are of this job. */
  let hasCreated = state.run > 1;
  let flushed = now();
  let intended = flushed;
  let writeError: JobDirectoryError | undefined;

  /** What could not be written is unknown to the next run, and must stay so: after a failure nothing is written. */
  function write(work: () => void): void {
    if (writeError) throw writeError;
    try {
      work();
    } catch (failure) {
      writeError = unwritable(state.directory, failure);
      throw writeError;
    }
  }

  function begin(): void {
    if (!isOpen) connection.exec('BEGIN');
    isOpen = true;
  }

  /** Puts something into the open transaction. */
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

  /** Goes into the open transaction soon: outcomes that waited in memory would outlive two collections of garbage. */
  function record(outcome: FinalOutcome): void {
    add(() => inserts.add(outcome));
    recorded += 1;
    // A clock may be set back.
    const isFirst = !hasCreated && outcome.result === 'created';
    hasCreated ||= isFirst;
    if (isFirst || recorded >= flushAfter || Math.abs(now() - flushed) > flushEvery) commit(mark);
  }

  const reading = readJournal(connection, () => commit(mark));
  const fingerprints = storeFingerprints(connection, add);

  return {
    ...reading,
    tell: (read, isAtOnce) =>
      state.lock.tell(() => ({ ...read(), canaries: reading.get('canaries') ?? [] }), isAtOnce),
    mayBeSent,
    isCorrected: state.isCorrected,
    run: state.run,
    resultOf: (row) => (withOutcome.get(row) as Pick<FinalOutcome, 'result'> | undefined)?.result,
    isUnanswered: (row) =>
      state.isCorrected || row <= mayBeSent || exactIntents.arrivesUntil(row) !== undefined,
    takeOver(row, line, key, externalId) {
      const found = earlier?.find(row, line, key);
      if (!found) return false;
      const { outcome, earlierRow } = found;
      if ((outcome.externalId ?? externalId) !== (externalId ?? outcome.externalId)) return false;
      add(() => earlier?.remove(key));
      fingerprints.keep(row, earlierRow);
      record(outcome);
      return true;
    },
    intend(row) {
      if (row <= mark) return;
      const isFast = now() - intended < 1000;
      intended = now();
      step = isFast ? Math.min(step * 2, most) : Math.max(step / 2, fewest);
      commit(row + step - 1);
    },
    intendExactly: (row, arrivesUntil) =>
      exactIntents.add(row, arrivesUntil, (insert) => {
        add(insert);
        commit(mark);
      }),
    arrivesUntil: exactIntents.arrivesUntil,
    withdraw(row) {
      add(() => exactIntents.remove(row));
    },
    lowerWatermark(upTo) {
      commit(mark);
      write(() => storeFact(connection, 'may_be_sent', upTo));
    },
    record,
    flush: () => commit(mark),
    list(where, columns) {
      commit(mark);
      return exportCsv(connection, where, columns);
    },
    set(name, value) {
      commit(mark);
      write(() => storeFact(connection, name, value));
    },
    fingerprints,
    users: searchUsers(connection, () => write(inserts.flush)),
    attach: (path) => attachShard(connection, path),
    setJob(job) {
      write(() => storeFact(connection, 'job', job));
    },
    close(seconds) {
      state.lock.release();
      try {
        commit(mark);
        connection.prepare('UPDATE runs SET seconds = ? WHERE run = ?').run(seconds, state.run);
        state.commits.end();
      } catch {
        // It was reported where it first failed.
        state.commits.close();
      }
      connection.close();
    },
  };
}
