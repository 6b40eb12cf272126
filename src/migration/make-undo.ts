import { resolve } from 'node:path';
import { decideUndo, hasLoggedIn } from './actions/decide-undo.ts';
import { lookAtMembers, type MemberReader, openCohort } from './cohort/open-cohort.ts';
import { openUsersOfImport, type UsersOfImport } from './cohort/users-of-import.ts';
import { requireOwnRecords } from './directory/own-directory.ts';
import { nameOfShard } from './model/shard.ts';
import { createActionCounts } from './plan/action-counts.ts';
import { requireWithinLimits } from './plan/action-limits.ts';
import { userLine } from './plan/decided-lines.ts';
import { requireTargetOfJob } from './plan/document/plan-document.ts';
import type { Plan } from './plan/document/plan-schemas.ts';
import {
  openPlanWriter,
  type PlanWriter,
  type PlanWriterOptions,
  planFacts,
  refuseHeld,
} from './plan/write-plan.ts';
import { createRunControl } from './send/call-api.ts';

export interface UndoOptions extends PlanWriterOptions {
  /** Directory of the job whose users are to be disabled. */
  job: string;
  /** Disable also users who have logged in, or were changed, since the job created them. */
  withActive?: boolean;
}

/**
 * Makes the plan that disables exactly the users whom a job created. Nothing is written to the tenant. Rejects with a
 * `JobDirectoryError`, with a `PlanError` if the job wrote to another tenant or a plan of the directory was applied, with a
 * `StoppedError` if there are more actions than allowed, or with the tenant's error.
 */
export async function makeUndo(reader: MemberReader, options: UndoOptions): Promise<Plan> {
  const { directory, now, withActive = false, withValues = false } = options;
  const undoes = { job: resolve(options.job) };
  refuseHeld(directory, { undoes });
  const cohort = await openCohort(options.job);
  let writer: PlanWriter | undefined;
  let newImport: UsersOfImport | undefined;
  try {
    const { job, size: rows, undone, undoneBy, replacedIn: by } = cohort;
    // A restart that was cut off has replaced nothing yet.
    const replacedIn = by === undoes.job ? undefined : by;
    requireOwnRecords(options.job);
    requireTargetOfJob(options.job, job.target, options.target);
    writer = await openPlanWriter(directory, { undoes }, now);
    const control = createRunControl(options);
    if (replacedIn !== undefined) newImport = await openUsersOfImport(replacedIn);
    const { users, reason } = await lookAtMembers(cohort, reader, control);
    const counts = createActionCounts();
    let areLoginsShown = false;
    for (const members of cohort.members()) {
      control.breaker.signal.throwIfAborted();
      const lines = [];
      for (const member of members) {
        const isInNewImport = newImport?.has(member.user_id) === true;
        const code = decideUndo(member.user, { withActive, isInNewImport });
        counts.count(code);
        areLoginsShown ||= member.user !== undefined && hasLoggedIn(member.user);
        const how = { withValues, withLogins: !withActive };
        lines.push(userLine(code, member, writer.fingerprints, how));
      }
      await writer.write(lines);
    }
    // No limit by default: an undo disables as many users as its job created, however many the tenant has.
    requireWithinLimits(counts.totals, options.limits, { users, rows });
    return await writer.complete({
      ...planFacts(options, counts),
      undoes: {
        ...undoes,
        begun_at: new Date(cohort.begun).toISOString(),
        with_active: withActive,
        ...(areLoginsShown ? { logins_shown: true as const } : {}),
        unresolved: cohort.unresolved,
        ...(cohort.pending > 0 ? { pending: cohort.pending } : {}),
        kept: cohort.kept,
        ...(job.shard ? { shard: nameOfShard(job.shard) } : {}),
        ...(undone === undefined ? {} : { undone_at: undone }),
        ...(undoneBy === undefined ? {} : { undone_by: undoneBy }),
        ...(replacedIn !== undefined && newImport ? { new_import: replacedIn } : {}),
        ...(replacedIn === undefined || newImport ? {} : { lost_import: replacedIn }),
      },
      file: { path: job.file, digest: job.source, rows: job.rows },
      reading: {},
      mapping: job.optionsDigest,
      options: { key: null, update: null, disable_missing: false, only: null },
      users,
      asked: reason,
    });
  } finally {
    await writer?.close();
    newImport?.close();
    cohort.close();
  }
}
