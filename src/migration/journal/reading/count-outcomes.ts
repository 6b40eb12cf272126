import type { HashAlgorithm } from '../../../contract/attributes.ts';
import type { Job } from '../../model/job.ts';
import { type FinalOutcome, finalResults } from '../../model/outcome.ts';
import { rowsOfShard } from '../../model/shard.ts';
import { zeros } from '../../model/zeros.ts';
import type { JournalDatabase } from '../database/database.ts';
import { isOfFileSql } from '../database/exact-intents.ts';
import { readFacts } from '../database/job-facts.ts';

/** Number of rows with the same result, algorithm and code. */
export interface Count {
  result: FinalOutcome['result'];
  algorithm: HashAlgorithm | null;
  code: string | null;
  rows: number;
  /** How many of these rows have users. */
  users: number;
  /** How many of these rows have users who were found by look-up, because their answers were lost. */
  found: number;
}

export function countOutcomes(connection: JournalDatabase): Count[] {
  return connection.rows<Count>(
    'SELECT result, algorithm, code, count(*) AS rows, count(found_by_look_up) AS found, count(user_id) AS users FROM outcomes GROUP BY result, algorithm, code',
  );
}

export type ResultCounts = Record<FinalOutcome['result'], number>;

/** Sums up rows by result. */
export function resultsOf(counts: readonly Count[]): ResultCounts {
  const results = zeros(finalResults);
  for (const { result, rows } of counts) results[result] += rows;
  return results;
}

/** Returns the number of rows that have a result. */
export function sumOf(results: ResultCounts): number {
  return Object.values(results).reduce((sum, rows) => sum + rows, 0);
}

/** Returns how many rows of a job have no outcome, or did not reach the service. */
export function countUnsent(connection: JournalDatabase, { rows, shard }: Job): number {
  const sent = connection.count("SELECT count(*) FROM outcomes WHERE code IS NOT 'NOT_REACHED'");
  return rowsOfShard(rows, shard) - sent;
}

/**
 * Returns how many rows of a job may have been sent and have no outcome, at most: those up to the high-water mark, and those above it
 * with an intent of their own.
 */
export function countUnanswered(connection: JournalDatabase, { rows: total, shard }: Job): number {
  const mark = readFacts(connection).may_be_sent ?? 0;
  const answered = connection.count('SELECT count(*) FROM outcomes WHERE row <= ?', mark);
  const sql = `SELECT count(*) FROM exact_intents
    WHERE row > ? AND ${isOfFileSql} AND row NOT IN (SELECT row FROM outcomes)`;
  // The high-water mark runs ahead of the rows, possibly beyond the last one.
  return Math.max(rowsOfShard(Math.min(mark, total), shard) - answered, 0) + connection.count(sql, mark);
}

/** SQL: rows of `earlier` whose users are in no row of the corrected file that can be sent. */
export const isWithoutRowSql =
  'line = 0 AND user_id IS NOT NULL AND user_id NOT IN (SELECT user_id FROM outcomes WHERE user_id IS NOT NULL)';

/** Returns the number of users of a job who have no row in its corrected file that can be sent. */
export function countWithoutRow(connection: JournalDatabase): number {
  return connection.count(`SELECT count(DISTINCT user_id) FROM earlier WHERE ${isWithoutRowSql}`);
}
