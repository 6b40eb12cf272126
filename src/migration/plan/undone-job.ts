import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { SingleCalls } from '../../client/calls.ts';
import { NotSentError } from '../../client/errors.ts';
import { formatCount } from '../../text/format-count.ts';
import { openCohort } from '../cohort/open-cohort.ts';
import { openUsersOfImport } from '../cohort/users-of-import.ts';
import { pathIn } from '../directory/job-files.ts';
import { unwritable } from '../journal/database/database.ts';
import { editJournal } from '../journal/database/edit-journal.ts';
import { beginOf, readFacts, storeFact } from '../journal/database/job-facts.ts';
import { isBegun } from '../journal/database/tables.ts';
import { JobDirectoryError, PlanError } from '../model/errors.ts';
import { readEarlierRun } from '../records/read-earlier-run.ts';
import type { Notice } from '../report/texts/notices.ts';
import { readPlan } from './document/plan-document.ts';
import type { ActionLine, Plan } from './document/plan-schemas.ts';

type Undone = Pick<NonNullable<Plan['undoes']>, 'job' | 'begun_at'>;

/**
 * Returns the client with a `disableUser` that first stores in the journal of the job of an undo that its users are being disabled,
 * so that nobody goes on with the job by mistake. If that fails, or the job has grown, nothing is sent, and the cause is a
 * `JobDirectoryError`. `directory`: that of the plan. `now`: epoch milliseconds.
 */
export function notingUndo<Client extends Pick<SingleCalls, 'disableUser'>>(
  client: Client,
  plan: Plan,
  directory: string,
  now: () => number,
): Client {
  const { undoes } = plan;
  if (!undoes) return client;
  let noted: Promise<void> | undefined;
  return {
    ...client,
    async disableUser(userId) {
      noted ??= refuseGrownJob(directory, plan).then(() => noteUndone(undoes, resolve(directory), now));
      await noted.catch((failure: unknown) => {
        throw new NotSentError(failure);
      });
      return client.disableUser(userId);
    },
  };
}

/**
 * Keeps an earlier time; does nothing if the directory has no journal any more, or that of another job. Throws also while a run has
 * the job.
 */
async function noteUndone(
  { job: directory, begun_at: begun }: Undone,
  plan: string,
  now: () => number,
): Promise<void> {
  if (!existsSync(pathIn(directory, 'journal.db'))) return;
  try {
    await editJournal(directory, now, (connection) => {
      if (!isBegun(directory, connection) || beginOf(connection) !== Date.parse(begun)) return;
      const { undone, undone_shards: shards = [] } = readFacts(connection);
      if (undone !== undefined && shards.length === 0) return;
      storeFact(connection, 'undone_by', plan);
      if (shards.length > 0) storeFact(connection, 'undone_shards', []);
      storeFact(connection, 'undone', new Date(now()).toISOString());
    });
  } catch (failure) {
    throw unwritable(directory, failure);
  }
}

/** Returns a warning if the job of an undo cannot be marked as undone, because its journal is gone or that of another job. */
export async function noticesOfUndone({ undoes }: Plan): Promise<Notice[]> {
  if (!undoes) return [];
  const { job } = undoes;
  if (!existsSync(pathIn(job, 'journal.db'))) {
    const text = `The journal of the job is not in ${job} any more, so the job cannot be marked as undone: whoever has it could go on with it. Move it back before this undo.`;
    return [{ text, isWarning: true }];
  }
  if (!(await isOtherJob(undoes))) return [];
  const text = `The job in ${job} was started over since: its new import is not marked as undone.`;
  return [{ text, isWarning: true }];
}

/**
 * Throws a `JobDirectoryError` for the plan of an undo whose job was started over, if users whom it disables are also users of the
 * new import by now: they were there before, so that the undo of the new import would leave them alone.
 */
export async function refuseUsersOfOtherJob(
  { undoes }: Plan,
  lines: AsyncIterable<ActionLine>,
): Promise<void> {
  if (!undoes) return;
  const isOther = await isOtherJob(undoes);
  // A plan of an earlier version does not name the new import. A restart that was cut off has replaced nothing yet.
  const { replaced_in: by } = (await readEarlierRun(undoes.job)) ?? {};
  const newImport = undoes.new_import ?? undoes.lost_import ?? (by === undoes.job ? undefined : by);
  const directory = isOther ? undoes.job : newImport;
  if (directory === undefined) return;
  const users = await openUsersOfImport(directory);
  let found = 0;
  try {
    for await (const { action, user_id: id } of lines)
      if (action === 'disable' && id !== undefined && users?.has(id)) found += 1;
  } finally {
    users?.close();
  }
  if (found === 0) return;
  const when = isOther ? ' after this undo was planned' : '';
  const whom = `${formatCount(found, 'user')} whom this plan disables ${found === 1 ? 'is' : 'are'}`;
  const again = 'This run disabled nobody. Plan the undo again in another directory (undo --to): ';
  const hint = isOther
    ? 'it disables only whom the new import created. To undo the import before it, move its archived journal, as journal.db, into a directory of its own, and name that: users of the new import are left out.'
    : 'it leaves them out.';
  throw new JobDirectoryError(
    directory,
    `it was started over${when}, and ${whom} in its new import`,
    again + hint,
  );
}

/**
 * Throws a `JobDirectoryError` for the plan of an undo whose job has created users since: they would stay, and the job would be marked
 * as undone. Of a job that this plan has marked, only answers to what was sent before can be new. `directory`: that of the plan.
 */
export async function refuseGrownJob(directory: string, { undoes, totals }: Plan): Promise<void> {
  if (!undoes || (await isOtherJob(undoes))) return;
  const planned = Object.values(totals).reduce((sum, users) => sum + users, 0);
  const { created = 0, undone_by: by } = (await readEarlierRun(undoes.job)) ?? {};
  if (created <= planned || by === resolve(directory)) return;
  // Two rows can be one user.
  const cohort = await openCohort(undoes.job);
  cohort.close();
  const since = cohort.size - planned;
  if (since <= 0) return;
  throw new JobDirectoryError(
    undoes.job,
    `it has created ${formatCount(since, 'user')} after this undo was planned`,
    'This run disabled nobody. Plan the undo again in another directory (undo --to).',
  );
}

/** True if the journal in the directory of the job is that of another job, which was begun later. */
export async function isOtherJob({ job, begun_at: begun }: Undone): Promise<boolean> {
  const now = await readEarlierRun(job);
  return now !== undefined && now.begun !== Date.parse(begun);
}

/** Throws a `PlanError` for the plan of an undo that was carried out. `left`: number of users who were left as they were. */
export function refuseUndoneJob(directory: string, completed: string, left: number): void {
  const { undoes } = readPlan(directory);
  if (!undoes) return;
  const { job, unresolved } = undoes;
  const rest = [
    left > 0 &&
      `${formatCount(left, 'user')} ${left === 1 ? 'was' : 'were'} left as they were: failures.csv of the plan says why.`,
    unresolved > 0 && `At most ${formatCount(unresolved, 'row')} of the job had no answer.`,
  ].filter((text) => text !== false);
  const hint =
    rest.length === 0
      ? 'Nobody is left to disable.'
      : `${rest.join(' ')} To undo the rest, name another directory with --to.`;
  const fault = `${directory}: the job ${basename(job)} was undone at ${completed} by this plan`;
  throw new PlanError('PLAN_APPLIED', fault, hint);
}
