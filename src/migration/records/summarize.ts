import { type HashAlgorithm, hashAlgorithms } from '../../contract/attributes.ts';
import type { AlgorithmVerification } from '../canaries/verify-canaries.ts';
import type { JournalDatabase } from '../journal/database/database.ts';
import { countRuns, readFacts } from '../journal/database/job-facts.ts';
import { disabledByJob, noteDisabledRows } from '../journal/database/row-fingerprints.ts';
import {
  type Count,
  countOutcomes,
  countUnanswered,
  countWithoutRow,
  isWithoutRowSql,
  resultsOf,
  sumOf,
} from '../journal/reading/count-outcomes.ts';
import type { Job } from '../model/job.ts';
import { mergePreviews, type Preview, peopleOf } from '../model/preview.ts';
import { nameOfShard, rowsOfShard } from '../model/shard.ts';
import type { AlgorithmCounts, Summary } from '../model/summary.ts';

/** A run of the job: its rows that got an outcome, its duration in seconds, and how many of these it waited for its window. */
export interface RunCounts {
  done?: number;
  seconds?: number;
  waited?: number;
}

/** Summarizes a job by its journal: what is not in it did not happen. `job`: its directory. */
export function summarize(
  connection: JournalDatabase,
  job: Job,
  { job: directory, seconds = 0, waited = 0, done = 0 }: RunCounts & { job: string },
): Summary {
  const { kind, optionsDigest, open, rows: total, others, shard, target } = job;
  const counts = countOutcomes(connection);
  const { updated, disabled, ...results } = resultsOf(counts);
  const rows = rowsOfShard(total, shard);
  const {
    preview = mergePreviews([]),
    canaries = [],
    issues,
    asked,
    copies,
    shared_external_ids,
    ramp,
    updates_in_part,
    unresolved,
    undone,
  } = readFacts(connection);
  const hashes =
    kind === 'plan'
      ? counts.filter(({ result }) => !['existing', 'updated', 'invalid'].includes(result))
      : counts;
  const byAlgorithm = countByAlgorithm(hashes, preview, canaries);
  // An algorithm of rejected rows only need not be verified.
  const isImported = (name: HashAlgorithm) =>
    preview.algorithms[name] !== undefined ||
    hashes.some(({ algorithm, result }) => algorithm === name && result !== 'invalid');
  const withoutRow = countWithoutRow(connection);
  const sending = seconds - waited;
  const enabled = counts
    .filter(({ code }) => code === 'NOT_DISABLED')
    .reduce((sum, { users }) => sum + users, 0);
  const unanswered = countUnanswered(connection, job);
  const disabledAfter = countDisabledAfterCreate(connection);
  return {
    job: directory,
    target,
    rows,
    ...(others === undefined ? {} : { in_no_row: others }),
    ...results,
    ...(enabled > 0 ? { stayed_enabled: enabled } : {}),
    ...(disabledAfter > 0 ? { disabled_after_create: disabledAfter } : {}),
    found_by_look_up: counts.reduce((sum, { result, found }) => sum + (result === 'created' ? found : 0), 0),
    hashes_not_sent: counts
      .filter(({ result, algorithm }) => ['existing', 'updated'].includes(result) && algorithm !== null)
      .reduce((sum, { rows: more }) => sum + more, 0),
    ...(kind === 'plan' ? { plan: optionsDigest, updated, disabled } : {}),
    ...(updates_in_part === undefined ? {} : { updates_in_part }),
    ...(unresolved === undefined ? {} : { unresolved }),
    pending: rows - sumOf({ ...results, updated, disabled }),
    ...(unanswered > 0 ? { unanswered } : {}),
    ...(undone === undefined ? {} : { undone_at: undone }),
    resumed: countRuns(connection) > 1,
    dry_run: kind === 'dry-run',
    ...(asked === undefined ? {} : { asked }),
    ...(copies === undefined ? {} : { copies }),
    ...(shared_external_ids === undefined ? {} : { shared_external_ids }),
    rehearsal: kind === 'rehearsal',
    ...(open ? { open_questions: open } : {}),
    ...(ramp === undefined ? {} : { ramp }),
    ...(shard ? { shard: nameOfShard(shard) } : {}),
    ...peopleOf(preview),
    ignored_columns: preview.ignored_columns,
    ...(preview.by_condition ? { by_condition: preview.by_condition } : {}),
    ...(preview.shared_with_skipped ? { shared_with_skipped: preview.shared_with_skipped } : {}),
    ...(preview.missing_status ? { missing_status: preview.missing_status } : {}),
    ...(preview.salt_columns ? { salt_columns: preview.salt_columns } : {}),
    ...(preview.status_columns ? { status_columns: preview.status_columns } : {}),
    seconds,
    ...(waited > 0 ? { waited_seconds: waited } : {}),
    rows_per_second: sending > 0 ? Math.round(done / sending) : 0,
    ...(withoutRow > 0 ? { without_row: withoutRow } : {}),
    codes: codesOf(counts),
    issues: issues?.codes ?? {},
    unknown_algorithms: issues?.unknownAlgorithms ?? {},
    not_verified: hashAlgorithms.filter((name) => byAlgorithm[name]?.canaries === 0 && isImported(name)),
    by_algorithm: byAlgorithm,
  };
}

/** Returns how many users the job created and then disabled, also those who are in no row of its corrected file. */
function countDisabledAfterCreate(connection: JournalDatabase): number {
  noteDisabledRows(connection);
  return (
    connection.count(`SELECT count(*) FROM outcomes WHERE result = 'created' AND ${disabledByJob.outcomes}`) +
    connection.count(
      `SELECT count(DISTINCT user_id) FROM earlier WHERE ${isWithoutRowSql} AND ${disabledByJob.earlier}`,
    )
  );
}

/** Returns the number of rows that were not imported, by code. */
function codesOf(counts: readonly Count[]): Record<string, number> {
  const codes = new Map<string, number>();
  for (const { code, rows } of counts) {
    if (code !== null) codes.set(code, (codes.get(code) ?? 0) + rows);
  }
  return Object.fromEntries([...codes].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Counts the outcomes of rows by algorithm; in a dry run most rows have none. */
export function countByAlgorithm(
  counts: readonly Count[],
  { algorithms }: Pick<Preview, 'algorithms'>,
  verifications: readonly Pick<AlgorithmVerification, 'algorithm' | 'matched' | 'otherKeys'>[],
): Summary['by_algorithm'] {
  const none = (name: HashAlgorithm): AlgorithmCounts => {
    const { matched = 0, otherKeys } = verifications.find(({ algorithm }) => algorithm === name) ?? {};
    const others = otherKeys === undefined ? {} : { other_keys: otherKeys };
    return { created: 0, failed: 0, canaries: matched, ...others };
  };
  const found: { [Name in HashAlgorithm]?: AlgorithmCounts } = {};
  // A run that ended early may not have read the rows of an algorithm that its canaries verified.
  const verified = verifications.map(({ algorithm }) => algorithm);
  for (const name of [...(Object.keys(algorithms) as HashAlgorithm[]), ...verified]) {
    found[name] = none(name);
  }
  for (const { result, algorithm, rows } of counts) {
    if (algorithm === null) continue;
    found[algorithm] ??= none(algorithm);
    if (result === 'created') found[algorithm].created += rows;
    else if (result === 'failed' || result === 'invalid' || result === 'conflict')
      found[algorithm].failed += rows;
  }
  return Object.fromEntries(hashAlgorithms.flatMap((name) => (found[name] ? [[name, found[name]]] : [])));
}
