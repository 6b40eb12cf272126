import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { AlgorithmVerification } from '../canaries/verify-canaries.ts';
import type { CommandLine, Job } from '../model/job.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { Preview } from '../model/preview.ts';
import type { CanaryLogins, EndedJob } from '../model/summary.ts';
import type { IssueCounts } from '../rows/count-issues.ts';
import type { JournalDatabase } from './database.ts';

/** How many rows came to a result. */
export interface Count {
  result: FinalOutcome['result'];
  algorithm: HashAlgorithm | null;
  code: string | null;
  rows: number;
  /** Of these: users whose answers were lost, and who were found by look-up. */
  found: number;
}

/** Facts about a job that its runs store, by name. */
export interface JobFacts {
  job: Job;
  /** For the commands that come next. */
  command: CommandLine;
  /** How a dry run asked the tenant who is there, and why so. */
  asked: string;
  canaries: AlgorithmVerification[];
  /** Users who may be written. */
  consent: number;
  /** What it is about to do; of a run that ended early: what it would have done with the rows that it read. */
  preview: Preview;
  issues: IssueCounts;
  /** What the canaries of a ramp came to on the tenant. */
  ramp: CanaryLogins;
  /** When the last row had an outcome. */
  completed: string;
  /** What the job came to when a run last ended in good order. */
  ended: EndedJob;
  /** When its personal data was deleted. */
  purged: string;
  /** The high-water mark: rows up to this one may have been sent. */
  may_be_sent: number;
  /** Commits that were made, as long as a run has the journal, and after one that was cut off. */
  commits: number;
  /** The file was corrected since the first run. */
  corrected: 1;
  /** Of a corrected file: until when, in epoch milliseconds, a request for a row as it was before can still arrive. */
  arrives_until: number;
  /** Key of the fingerprints of the rows. */
  fingerprint_key: string;
}

export type FactName = keyof JobFacts;

/** A fact that the job's runs stored; `undefined` where they did not. */
export function readFact<Name extends FactName>(
  connection: JournalDatabase,
  name: Name,
): JobFacts[Name] | undefined {
  const row = connection.prepare('SELECT value FROM job WHERE name = ?').get(name);
  return row && JSON.parse((row as { value: string }).value);
}

/** Stores a fact, instead of what was stored under this name before. */
export function storeFact<Name extends FactName>(
  connection: JournalDatabase,
  name: Name,
  value: JobFacts[Name],
): void {
  connection.prepare('INSERT OR REPLACE INTO job VALUES (?, ?)').run(name, JSON.stringify(value));
}

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
  get<Name extends FactName>(name: Name): JobFacts[Name] | undefined;
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
    get: (name) => readFact(connection, name),
    runs: () => connection.prepare('SELECT started_at, seconds, note FROM runs ORDER BY run').all() as Run[],
  };
}
