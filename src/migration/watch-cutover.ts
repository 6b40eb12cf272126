import { stringify } from 'csv-stringify/sync';
import { hasLoggedIn } from './actions/decide-undo.ts';
import { createLoginComparison, type LoginVerdict } from './cohort/compare-logins.ts';
import type { CutoverLook, MemberCounts } from './cohort/cutover-look.ts';
import { type Cohort, lookAtMembers, type MemberReader, openCohort } from './cohort/open-cohort.ts';
import { addLook, type Look, readLooks } from './cohort/stored-looks.ts';
import { replaceNamedFile } from './directory/replace-file.ts';
import { nameOfShard } from './model/shard.ts';
import type { TenantReaderOptions } from './owners/decide-rows.ts';
import { requireTargetOfJob } from './plan/document/plan-document.ts';
import { createRunControl } from './send/call-api.ts';

/**
 * Opens the watch of the users of a `job`, named by its directory. Its looks are kept there, so that all looks of the job, by whatever
 * command, form one watch with one rate of false alarms. Rejects with a `JobDirectoryError`, or with a `PlanError` for another tenant.
 */
export async function openCutover(reader: MemberReader, options: TenantReaderOptions & { job: string }) {
  const { job: directory, target, now } = options;
  const cohort = await openCohort(directory, { whileWaiting: true });
  try {
    requireTargetOfJob(directory, cohort.job.target, target);
    // If they are damaged, the tenant need not be read.
    readLooks(directory, cohort.begun);
  } catch (failure) {
    cohort.close();
    throw failure;
  }
  return {
    async look(): Promise<CutoverLook> {
      const control = createRunControl(options);
      const { users, reason } = await lookAtMembers(cohort, reader, control).finally(control.breaker.release);
      const counts = cohort.counts();
      const at = new Date(now()).toISOString();
      const algorithms = counts.flatMap(({ algorithm, logged_in, never }) =>
        algorithm === null ? [] : [{ algorithm, logged_in, never }],
      );
      const looks = await addLook(directory, cohort.begun, { at, algorithms });
      const verdicts = verdictsOf(looks, algorithms);
      const standings = counts.map((one) => standingOf(one, verdicts));
      const { job, unresolved } = cohort;
      const shard = job.shard ? { shard: nameOfShard(job.shard) } : {};
      return { at, users, asked: reason, looks: looks.length, ...shard, unresolved, algorithms: standings };
    },
    /** Writes the users who could log in, but never have, to a CSV file, which is replaced as a whole; resolves to their number. */
    writeDormant: (path: string) => writeDormant(cohort, path),
    close: cohort.close,
  };
}

function standingOf(
  counts: MemberCounts,
  verdicts: readonly LoginVerdict[],
): CutoverLook['algorithms'][number] {
  const { algorithm, created, logged_in: now } = counts;
  const verdict = verdicts.length > 1 ? verdicts.find((one) => one.algorithm === algorithm) : undefined;
  return {
    ...counts,
    percent: created === 0 ? 0 : Math.floor((now / created) * 1000) / 10,
    out_of_line: verdict?.isOutOfLine ?? null,
    evidence: verdict?.evidence ?? null,
  };
}

/**
 * Compares all looks of a job each time, because another command may have added some. `latest`: the counts of this one, which are
 * evidence only if they were stored: otherwise another command has counted these logins.
 */
function verdictsOf(looks: readonly Look[], latest: Look['algorithms']): LoginVerdict[] {
  const compare = createLoginComparison();
  for (const { algorithms } of looks) compare(algorithms);
  const stored = new Map(looks.at(-1)?.algorithms.map((one) => [one.algorithm, one.logged_in]));
  return compare(
    latest.map((one) => ({ ...one, logged_in: Math.min(one.logged_in, stored.get(one.algorithm) ?? 0) })),
  );
}

const dormantColumns = [
  'user_id',
  'user_name',
  'name',
  'email',
  'mobile',
  'external_id',
  'created_at',
] as const;

/** The header of the list of those who have never logged in. */
export const dormantHeader: readonly string[] = [...dormantColumns, 'algorithm'];

async function writeDormant(cohort: Cohort, path: string): Promise<number> {
  let written = 0;
  function* lines() {
    yield stringify([dormantHeader]);
    for (const members of cohort.members()) {
      const dormant = members.flatMap(({ user, algorithm }) =>
        user && !user.disabled && !hasLoggedIn(user)
          ? [[...dormantColumns.map((column) => user[column] ?? ''), algorithm ?? '']]
          : [],
      );
      written += dormant.length;
      yield stringify(dormant, { escape_formulas: true });
    }
  }
  await replaceNamedFile(path, lines());
  return written;
}
