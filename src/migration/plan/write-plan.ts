import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { realPath } from '../../text/locations/real-path.ts';
import { quotePath } from '../../text/shell-quote.ts';
import { createFingerprints, newFingerprintKey } from '../actions/fingerprints.ts';
import { draftOf, pathIn } from '../directory/job-files.ts';
import { lockDirectory } from '../directory/lock-directory.ts';
import { type FileDraft, openDraft, replaceFile } from '../directory/replace-file.ts';
import type { ListWriter } from '../directory/write-lists.ts';
import { resultIn } from '../journal/archive.ts';
import { digestFile, sha256 } from '../model/digests.ts';
import { JobDirectoryError, PlanError } from '../model/errors.ts';
import type { TenantReaderOptions } from '../owners/decide-rows.ts';
import type { ActionLimit } from './action-limits.ts';
import { canonicalText, pendingPlan, sealPlan } from './document/plan-document.ts';
import type { ActionLine, Plan } from './document/plan-schemas.ts';
import { renderPlan } from './document/render-plan.ts';

export type PlanWriter = Awaited<ReturnType<typeof openPlanWriter>>;

/**
 * Opens a directory for a plan, and locks it until `close`; creates it if missing. The files of an earlier plan are not replaced yet.
 * `now`: epoch milliseconds. Rejects with a `JobDirectoryError` if another process has the directory, and as `refuseHeld` throws.
 */
export async function openPlanWriter(directory: string, subject: PlanSubject, now: () => number) {
  const lock = await lockDirectory(directory, now);
  let actions: FileDraft;
  try {
    refuseHeld(directory, subject);
    actions = await openDraft(pathIn(directory, 'actions.jsonl'));
  } catch (failure) {
    lock.release();
    throw failure;
  }
  const key = newFingerprintKey();
  const digest = createHash('sha256');
  return {
    fingerprints: createFingerprints(key),
    async write(lines: readonly ActionLine[]): Promise<void> {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      digest.update(text);
      await actions.write(text);
    },
    /** Deletes what was written, which may contain names, unless the plan was completed. */
    async close(): Promise<void> {
      await actions.discard();
      lock.release();
    },
    /** Seals the plan and replaces the files of an earlier plan, also its list of vanished users if there is no new one. */
    async complete(
      rest: Omit<Plan, 'version' | 'actions' | 'key' | 'digest'>,
      vanished?: ListWriter<'vanished'>,
    ): Promise<Plan> {
      await vanished?.end();
      await actions.end();
      const list = vanished && (await digestFile(draftOf(pathIn(directory, 'vanished.csv'))));
      const since = rest.since && list !== undefined ? { since: { ...rest.since, list } } : {};
      const plan = sealPlan({
        version: 1,
        ...rest,
        ...since,
        actions: digest.digest('hex'),
        key: sha256(key),
      });
      const text = canonicalText(plan);
      // Of the plan as it is read, whose keys have another order: its page is compared later.
      const page = renderPlan(JSON.parse(text) as Plan);
      await rm(pathIn(directory, 'plan.sig'), { force: true });
      actions.replace();
      if (vanished) vanished.replace();
      else await rm(pathIn(directory, 'vanished.csv'), { force: true });
      for (const [name, content] of [
        ['plan.key', key],
        ['plan.html', page],
        ['plan.json', text],
      ] as const) {
        await replaceFile(pathIn(directory, name), content);
      }
      return plan;
    },
  };
}

/** What a plan is of: its file, or the job that it undoes. */
interface PlanSubject {
  undoes?: { job: string } | undefined;
  file?: { path: string };
}

/** Says what a plan is of, with the whole path: several files and jobs can have the same name. */
function describeSubject({ undoes, file }: PlanSubject, shown = (path: string) => path): string {
  return undoes ? `the undo of ${shown(undoes.job)}` : `the plan of ${shown(file?.path ?? '')}`;
}

export function refuseHeld(directory: string, subject: PlanSubject): void {
  const fault = findHeld(directory, subject);
  if (fault) throw fault;
}

/**
 * Returns why no plan of the subject can be made in a directory: a `PlanError` if it has a journal, because its plan was applied, even
 * if only in part, or it belongs to a job; or if it has lists, such as those of a comparison, beside which a plan could not be applied.
 * A `JobDirectoryError` if it has a signed plan, or a pending one of another subject: somebody may still apply that one, and would carry
 * out this one instead.
 */
export function findHeld(directory: string, subject: PlanSubject): Error | undefined {
  const list = resultIn(directory);
  const fault = existsSync(pathIn(directory, 'journal.db'))
    ? 'this directory holds a plan or a job that was applied'
    : list && `this directory contains ${list} of a comparison or a job`;
  if (fault !== undefined)
    return new PlanError('PLAN_APPLIED', `${directory}: ${fault}`, 'Name another directory with --to.');
  const plan = pendingPlan(directory);
  const isSigned = existsSync(pathIn(directory, 'plan.sig'));
  const isSame = plan && describeSubject(plan, realPath) === describeSubject(subject, realPath);
  if (!isSigned && (!plan || isSame)) return undefined;
  return new JobDirectoryError(
    directory,
    `it holds ${plan ? describeSubject(plan) : 'a plan'}, which ${isSigned ? 'is signed' : 'was not carried out'}`,
    `Name another directory with --to. What that one would do: tenant-users plan show ${quotePath(directory)}`,
  );
}

export interface PlanWriterOptions extends TenantReaderOptions {
  /** Directory for the plan; created if missing. */
  directory: string;
  /** Version of the program. */
  version: string;
  /** Most actions of a kind. */
  limits?: readonly ActionLimit[] | undefined;
  /** Put values into the plan: user names, external IDs, and what an update changes. */
  withValues?: boolean | undefined;
  /** Requests a second at which the plan is most likely applied, if that is known. */
  pace?: number | undefined;
}

/** Returns the fields that every plan has. */
export function planFacts(
  { version, target, now, withValues = false, pace }: PlanWriterOptions,
  { totals, reasons, people }: Pick<Plan, 'totals' | 'reasons' | 'people'>,
) {
  // An update or a disable reads the user first; some users are disabled right after they are created.
  const requests = totals.create + people.to_disable + 2 * totals.update + 2 * totals.disable;
  return {
    program: version,
    made_at: new Date(now()).toISOString(),
    target,
    totals,
    reasons,
    people,
    forecast: { requests, seconds: pace === undefined ? 0 : Math.ceil(requests / pace) },
    with_values: withValues,
  };
}
