import { readFileSync } from 'node:fs';
import canonicalize from 'canonicalize';
import { isRecord } from '../../../contract/is-record.ts';
import { parseJson } from '../../../contract/parse-json.ts';
import { changingKinds } from '../../actions/reasons.ts';
import { pathIn } from '../../directory/job-files.ts';
import { sha256 } from '../../model/digests.ts';
import { changedPlan, PlanError } from '../../model/errors.ts';
import { adviseRetarget, type Job, tenantDrift } from '../../model/job.ts';
import { readEarlierRun } from '../../records/read-earlier-run.ts';
import type { Plan } from './plan-schemas.ts';

/** Returns the number of actions of a plan, including those that do nothing. */
export function countActions({ totals }: Pick<Plan, 'totals'>): number {
  return Object.values(totals).reduce((sum, count) => sum + count, 0);
}

/** Returns the job that applies a plan; its directory is that of the plan. */
export function jobOfPlan(plan: Plan): Job {
  const { file, target, digest, undoes } = plan;
  const rows = countActions(plan);
  return {
    kind: 'plan',
    source: file.digest,
    file: file.path,
    rows,
    ...(undoes || rows === file.rows ? {} : { others: rows - file.rows }),
    optionsDigest: digest,
    target,
    shard: undefined,
  };
}

/** Throws a `PlanError` that names the first difference between two targets, if there is one. */
export function requireTarget(was: string, before: Plan['target'], now: Plan['target'], hint = ''): void {
  const [drift] = tenantDrift(before, now);
  if (drift !== undefined) throw new PlanError('PLAN_TARGET', `${was} another tenant: ${drift}`, hint);
}

/** Throws a `PlanError`, as `requireTarget` does, if a job went to another tenant. */
export function requireTargetOfJob(directory: string, before: Job['target'], now: Job['target']): void {
  requireTarget(`${directory}: the job went to`, before, now, adviseRetarget(directory, before, now));
}

/** Adds the digest to a plan. */
export function sealPlan(plan: Omit<Plan, 'digest'>): Plan {
  return { ...plan, digest: sha256(canonicalText(plan)) };
}

/** Returns a document in canonical form (RFC 8785), so that equal documents have equal bytes. */
export function canonicalText(document: object): string {
  const text = canonicalize(document);
  if (text === undefined) throw new TypeError('not a JSON document');
  return text;
}

/** Reads the plan of a directory. Throws a `PlanError` if there is none, or if a byte of it was changed. */
export function readPlan(directory: string): Plan {
  const path = pathIn(directory, 'plan.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw changedPlan(
      `${directory}: there is no plan in this directory`,
      'Make one with: tenant-users plan FILE',
    );
  }
  const plan = parseJson(text) as Plan | undefined;
  const { digest, ...rest } = plan ?? {};
  if (!isRecord(plan) || canonicalText(plan) !== text || digest !== sha256(canonicalText(rest)))
    throw changedPlan(`${path}: the plan was changed after it was made`);
  if (plan.version !== 1) throw changedPlan(`${path}: the plan was made by another version of this program`);
  return plan;
}

/** Returns the plan of a directory, applied or not; `undefined` if it has none, or one that was changed. */
function heldPlan(directory: string): Plan | undefined {
  try {
    return readPlan(directory);
  } catch {
    return undefined;
  }
}

/** Returns the plan of a directory if there is a reason to apply it: it changes users, or the next plan can be made since it. */
export function pendingPlan(directory: string): Plan | undefined {
  const plan = heldPlan(directory);
  return plan?.since || changingKinds.some((kind) => plan?.totals[kind]) ? plan : undefined;
}

/**
 * Returns the directory of the latest job before that of `since` which had this very file: each plan since a job names that job.
 * `undefined` if there is none, or if the job of `since` had it, too.
 */
export async function findOlderJob(since: string, digest: string): Promise<string | undefined> {
  const seen = new Set<string>();
  for (let at: string | undefined = since; at !== undefined && !seen.has(at); ) {
    const plan = heldPlan(at);
    const source = plan?.file.digest ?? (await readEarlierRun(at))?.job.source;
    if (source === digest) return at === since ? undefined : at;
    seen.add(at);
    at = plan?.since?.job;
  }
  return undefined;
}
