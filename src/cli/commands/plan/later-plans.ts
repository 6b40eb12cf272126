import { resolve } from 'node:path';
import type { EarlierJob } from '../../../migration/make-plan.ts';
import { JobDirectoryError } from '../../../migration/model/errors.ts';
import type { Plan } from '../../../migration/plan/document/plan-schemas.ts';
import { realPath } from '../../../text/locations/real-path.ts';
import { quotePath } from '../../../text/shell-quote.ts';
import type { CommandContext } from '../../context/context.ts';
import { type LogEntry, type RunBegun, readLoggedRuns } from '../../log/read-log.ts';

/** Returns what the log says of a plan with `--since`; nothing for another plan, or for one of an older build. */
export function sinceInLog({ since, file }: Plan): RunBegun['since'] {
  if (since?.begun_at === undefined) return undefined;
  return { job: since.job, begun_at: since.begun_at, file: file.digest };
}

/**
 * Throws a `JobDirectoryError` if another plan since the same job was applied in this tenant after this plan was made: this one knows
 * nothing of what that file says, such as that somebody whom it disables is back.
 */
export function refuseOutdated(
  context: CommandContext,
  { since, made_at: made }: Plan,
  directory: string,
): void {
  if (!since) return;
  const own = resolve(directory);
  const other = laterPlans(context, since).findLast((plan) => plan.time >= made && plan.directory !== own);
  if (!other) return;
  throw new JobDirectoryError(
    directory,
    `another plan since ${since.job} was applied after this one was made: ${other.directory}`,
    `If this file is the newer one, make a new plan with --since ${quotePath(other.directory)}, in another directory (--to).`,
  );
}

/**
 * Throws a `JobDirectoryError` for the job of `--since` if a plan of another file was applied since in this tenant: what that one
 * changed would count as unchanged. Plans of one file may be made in stages, such as `--only create` first.
 */
export async function refuseOlderSince(
  context: CommandContext,
  since: EarlierJob,
  digest: string,
): Promise<void> {
  const later = laterPlans(context, since);
  const latest = later.at(-1);
  const last = later.findLast(({ isChanging, file }) => isChanging && file !== digest);
  if (!latest || !last) return;
  const { readJobStatus } = await import('../../../migration/records/job-status.ts');
  const known = await readJobStatus(latest.directory, context.now).catch(() => undefined);
  const without = 'make a plan without --since. Then --disable-missing is about all users of the tenant';
  throw new JobDirectoryError(
    since.job,
    `a plan since this job was applied at ${last.time}: ${last.directory}. What that one changed would count as unchanged`,
    known && known.status.state !== 'purged'
      ? `Name the latest plan: --since ${quotePath(latest.directory)}. Or ${without}.`
      : `The latest such plan, ${latest.directory}, was purged, moved or deleted. If it was moved, name it with --since; otherwise ${without}.`,
  );
}

/** A run that applied a plan since a job, or since another such plan. */
interface LaterPlan {
  time: string;
  directory: string;
  /** SHA-256 of its file. */
  file: string;
  /** False if the run changed nobody. */
  isChanging: boolean;
}

/**
 * Returns the runs that applied plans since a job, and plans since these; the latest last. They went to the tenant of the job, which may
 * have got another address between them.
 */
function laterPlans(
  context: CommandContext,
  { begun_at: begunAt }: Pick<EarlierJob, 'begun_at'>,
): LaterPlan[] {
  const found: LaterPlan[] = [];
  const links = new Set<string>();
  for (const { begun, ended } of [...readLoggedRuns(context)].reverse()) {
    const { since, time, directory, is_sending: isSending } = begun;
    if (!since || !isSending) continue;
    if (since.begun_at !== begunAt && !links.has(realPath(since.job))) continue;
    links.add(realPath(directory));
    found.push({ time, directory, file: since.file, isChanging: !hasChangedNobody(ended) });
  }
  return found;
}

function hasChangedNobody(ended: LogEntry['ended']): boolean {
  return ended?.changed === 0 && !ended.rows?.unknown;
}
