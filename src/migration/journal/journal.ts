import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { Settled } from '../outcome.ts';
import type { Connection } from './connection.ts';

/** How many rows came to a result. */
export interface Count {
  result: Settled['result'];
  algorithm: HashAlgorithm | null;
  code: string | null;
  rows: number;
}

/** An outcome as it stands in the journal. */
export interface Entry {
  row: number;
  line: number;
  result: Settled['result'];
  algorithm: HashAlgorithm | null;
  user_name: string | null;
  external_id: string | null;
  user_id: string | null;
  code: string | null;
  message: string | null;
  hint: string | null;
}

/** A run of the job, as it stands in the journal. */
export interface Run {
  /** Epoch milliseconds. */
  started_at: number;
  /** What it took; `null` for the run under way, and for one that was cut off. */
  seconds: number | null;
  note: string;
}

/** The memory of a job: what may have been sent is on disk before it is, and what became of it after. */
export interface Journal {
  /** Rows up to this number may have been sent by an earlier run. */
  readonly mayBeSent: number;
  /** The file was mended since, so that its rows are known by their keys only. */
  readonly isMended: boolean;
  /** 1 for the first run of the job. */
  readonly run: number;
  /** True for a row that an earlier run settled; its outcome stands. */
  isSettled(row: number): boolean;
  /** A user that the file as it was before has made for this key: its outcome is taken over for the row. */
  takeOver(row: number, line: number, key: string): boolean;
  /** To be called before a row is sent, in the order of the rows. */
  intend(row: number): void;
  /** After a run that ended in good order: of the rows without an outcome, only those up to this one may have been sent. */
  narrow(upTo: number): void;
  /** Enters an outcome; it is on disk soon after, and before any later intent is. */
  enter(outcome: Settled): void;
  /** What the journal holds, outcomes not yet on disk included. */
  counts(): Count[];
  /** Outcomes in the order of their rows. */
  entries(where: 'users' | 'others'): Iterable<Entry>;
  /** Keeps a fact about the job, in the place of what was kept under this name. */
  keep(name: 'canaries', value: unknown): void;
  /** A fact that was kept; `undefined` where none was. */
  kept(name: 'canaries'): unknown;
  /** Every run of the job, this one last. */
  runs(): Run[];
  /** Takes in the outcomes of another journal's file, as they are. */
  takeIn(path: string): void;
  /** Puts everything on disk, and closes. `seconds`: what this run took. */
  close(seconds: number): void;
}

/** Rows that one intent covers, at most and at least: as many as are sent in about a second. */
const widest = 1024;
const narrowest = 32;
const flushEvery = 500;

const columns = 'row, line, result, algorithm, user_name, external_id, user_id, code, message, hint';

/**
 * Makes the journal of an open, locked database. Intents are a high-water mark: one commit says that the next rows may
 * have been sent, and takes along the outcomes since the last. `now`: epoch milliseconds.
 */
export function createJournal(
  connection: Connection,
  state: { run: number; isMended: boolean; release: () => void },
  now: () => number,
): Journal {
  const setMark = connection.prepare("INSERT OR REPLACE INTO job VALUES ('may_be_sent', ?)");
  const insert = connection.prepare(
    'INSERT OR REPLACE INTO outcomes (row, line, result, algorithm, key, user_name, external_id, user_id, code, message, hint) VALUES (?,?,?,?,?,?,?,?,?,?,?)',
  );
  const settled = connection.prepare('SELECT 1 FROM outcomes WHERE row = ?');
  const takeOver = state.isMended
    ? connection.prepare(
        `INSERT OR REPLACE INTO outcomes (row, line, result, algorithm, key, user_name, external_id, user_id)
         SELECT ?, ?, result, algorithm, key, user_name, external_id, user_id FROM earlier WHERE key = ?`,
      )
    : undefined;
  const found = connection.prepare("SELECT value FROM job WHERE name = 'may_be_sent'").get() as
    | { value: string }
    | undefined;
  const mayBeSent = Number(found?.value ?? 0);

  let mark = mayBeSent;
  let step = narrowest;
  let waiting: Settled[] = [];
  let flushed = now();
  let intended = flushed;

  function commit(upTo: number): void {
    const outcomes = waiting;
    waiting = [];
    flushed = now();
    connection.exec('BEGIN');
    for (const outcome of outcomes) insert.run(...valuesOf(outcome));
    if (upTo > mark) setMark.run(String(upTo));
    connection.exec('COMMIT');
    mark = Math.max(mark, upTo);
  }

  return {
    mayBeSent,
    isMended: state.isMended,
    run: state.run,
    isSettled: (row) => settled.get(row) !== undefined,
    takeOver: (row, line, key) => Number(takeOver?.run(row, line, key).changes ?? 0) > 0,
    intend(row) {
      if (row <= mark) return;
      const isFast = now() - intended < 1000;
      intended = now();
      step = isFast ? Math.min(step * 2, widest) : Math.max(step / 2, narrowest);
      commit(row + step - 1);
    },
    narrow(upTo) {
      commit(mark);
      setMark.run(String(upTo));
    },
    enter(outcome) {
      waiting.push(outcome);
      if (waiting.length >= widest || now() - flushed > flushEvery) commit(mark);
    },
    counts() {
      commit(mark);
      return connection
        .prepare(
          'SELECT result, algorithm, code, count(*) AS rows FROM outcomes GROUP BY result, algorithm, code',
        )
        .all() as Count[];
    },
    *entries(where) {
      commit(mark);
      const which = where === 'users' ? "IN ('created', 'existing')" : "NOT IN ('created', 'existing')";
      const page = connection.prepare(
        `SELECT ${columns} FROM outcomes WHERE row > ? AND result ${which} ORDER BY row LIMIT 1000`,
      );
      for (let last = 0; ; ) {
        const entries = page.all(last) as Entry[];
        yield* entries;
        last = entries.at(-1)?.row ?? 0;
        if (entries.length < 1000) return;
      }
    },
    keep(fact, value) {
      connection.prepare('INSERT OR REPLACE INTO job VALUES (?, ?)').run(fact, JSON.stringify(value));
    },
    kept(fact) {
      const row = connection.prepare('SELECT value FROM job WHERE name = ?').get(fact);
      return row && JSON.parse((row as { value: string }).value);
    },
    runs: () =>
      connection.prepare('SELECT started_at, seconds, note FROM runs ORDER BY run').all() as unknown as Run[],
    takeIn(path) {
      connection.prepare('ATTACH ? AS share').run(path);
      // What a share may have sent, the joined job may have sent.
      connection.exec(`INSERT INTO outcomes SELECT * FROM share.outcomes;
        INSERT OR REPLACE INTO job SELECT 'may_be_sent', coalesce(max(CAST(value AS INTEGER)), 0) FROM (
          SELECT value FROM share.job WHERE name = 'may_be_sent'
          UNION ALL SELECT value FROM main.job WHERE name = 'may_be_sent');
        DETACH share`);
    },
    close(seconds) {
      commit(mark);
      connection.prepare('UPDATE runs SET seconds = ? WHERE run = ?').run(seconds, state.run);
      connection.close();
      state.release();
    },
  };
}

function valuesOf(outcome: Settled) {
  const { row, line, result, algorithm, key, userName, externalId } = outcome;
  const place = [row, line, result, algorithm ?? null, key ?? null, userName ?? null, externalId ?? null];
  return 'userId' in outcome
    ? [...place, outcome.userId, null, null, null]
    : [...place, null, outcome.code, outcome.message, outcome.hint];
}
