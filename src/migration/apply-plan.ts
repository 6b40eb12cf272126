import { existsSync, readFileSync } from 'node:fs';
import { formatCount } from '../text/format-count.ts';
import { quotePath } from '../text/shell-quote.ts';
import { createFingerprints } from './actions/fingerprints.ts';
import { changingKinds } from './actions/reasons.ts';
import { applyRows, type PlannedRunOptions, withWholeDrift } from './apply-rows.ts';
import {
  countCanaries,
  mergeVerifications,
  requireFirst,
  verifyCanaries,
} from './canaries/verify-canaries.ts';
import { pathIn } from './directory/job-files.ts';
import { refuseRunning } from './directory/lock-directory.ts';
import { type OpenInput, openInput } from './input/open-input.ts';
import { refuseUndone } from './journal/reading/open-job.ts';
import { sha256 } from './model/digests.ts';
import { changedPlan, JobDirectoryError, PlanError, SourceError } from './model/errors.ts';
import { storedTarget } from './model/job.ts';
import { type JobOptions, type JobResult, type JobRun, openRun, timeToAsk } from './open-run.ts';
import type { ApplyClient } from './plan/apply-action.ts';
import { type CheckedActions, openCheckedActions } from './plan/document/action-lines.ts';
import { noticesOfPlan } from './plan/document/notices.ts';
import { jobOfPlan, readPlan, requireTarget, requireTargetOfJob } from './plan/document/plan-document.ts';
import type { ActionLine, Plan } from './plan/document/plan-schemas.ts';
import { verifyPlan } from './plan/document/signature.ts';
import { remainingLimit } from './plan/foreseen-failures.ts';
import { pairRows, requireSameRows } from './plan/planned-rows.ts';
import {
  noticesOfUndone,
  notingUndo,
  refuseGrownJob,
  refuseUndoneJob,
  refuseUsersOfOtherJob,
} from './plan/undone-job.ts';
import { type EarlierRun, readEarlierRun } from './records/read-earlier-run.ts';
import { type Notice, toNotices } from './report/texts/notices.ts';
import { type ValidatedRow, validateRows } from './rows/validate-rows.ts';

/** Options of the application of a plan; the job directory is that of the plan. */
export interface ApplyOptions extends Omit<JobOptions, 'mode'>, PlannedRunOptions {
  /** Path of the plan's file now; by default the path that it had. */
  file?: string | undefined;
  /** The HMAC key for rows without one, which is not stored in the plan. */
  key?: string | undefined;
  /** Public key in PEM form: the plan must be signed with the private key that belongs to it. */
  requiredKey?: string | undefined;
  /** `onPlan` asks whether to apply the plan, unless an earlier run had consent. */
  isAsked?: boolean;
  /**
   * Called after all checks, before the first action; what it throws ends the run. `isConsented`: an earlier run had consent.
   * `notices`: what a person must know of the plan and of the job that it undoes.
   */
  onPlan?: (plan: Plan, isConsented: boolean, notices: readonly Notice[]) => void | Promise<void>;
}

/**
 * Applies a plan exactly as it was decided, once. Rows use the journal, the rate limiter and the circuit breaker of an import, and
 * the same call resumes where the last one ended. Rejects with a `PlanError` only while nothing has been sent.
 *
 * Whatever would refuse the run comes before a person is asked, first what needs no reading of file and actions. Checked again after the
 * answer: that the plan is the same (`requireSamePlan`), that no other run of it began (`runsSeen`), and before the first disable, that
 * the job of an undo has not grown (`notingUndo`).
 */
export async function applyPlan(client: ApplyClient, options: ApplyOptions): Promise<JobResult> {
  const { jobDirectory: directory, now = Date.now } = options;
  let started = now();
  const isOnlyAsking = options.mode === 'only unanswered';
  await refuseRunning(directory);
  const earlier = await readEarlierRun(directory);
  refuseApplied(directory, earlier);
  if (!isOnlyAsking) refuseUndone(directory, 'plan', earlier);
  else if (!earlier) throw notApplied(directory);
  const { plan, key } = checkPlan(options, earlier);
  if (plan.undoes) await refuseRunning(plan.undoes.job);
  let maxFailures = isOnlyAsking ? undefined : options.maxFailures;
  if (!earlier) maxFailures = remainingLimit(directory, plan, maxFailures);
  const actions = await openCheckedActions(directory, plan.actions);
  let input: OpenInput | undefined;
  let run: JobRun | undefined;
  try {
    if (!plan.undoes) input = await openPlanned(plan, options);
    const job = jobOfPlan(plan);
    const fingerprints = createFingerprints(key);
    if (input) {
      const lists = validateRows(input.source, input.columns);
      const total = plan.file.rows;
      await requireSameRows(lists, actions.read(), fingerprints, { ...options, total });
    }
    if (!isOnlyAsking) {
      await refuseUsersOfOtherJob(plan, actions.read());
      await refuseGrownJob(directory, plan);
    }
    const isConsented = earlier?.consent !== undefined;
    const canBeMadeAgain = options.isAsked === true && !isConsented;
    const known = input && (await findKnown(input, actions, options));
    if (plan.totals.create > 0) requireFirst(known?.canaries, options, canaryOfPlan(directory));
    const verified = mergeVerifications(earlier?.canaries ?? [], known?.verified ?? []);
    const notices = [
      ...noticesOfPlan(plan, { canBeMadeAgain, verified }),
      ...(await noticesOfUndone(plan)),
      ...toNotices([earlier?.consent !== undefined && !isOnlyAsking && describeRest(earlier)], false),
    ];
    started += await timeToAsk(now, () => options.onPlan?.(plan, isConsented, notices));
    requireSamePlan(directory, plan);
    const read = input ? validateRows(input.source, input.columns) : noRows();
    const paired = pairRows(read, actions.read(), known?.lines);
    const by = notingUndo(client, plan, directory, now);
    run = await openRun(client, job, started, { ...options, maxFailures, runsSeen: earlier?.runs ?? 0 });
    const { journal } = run;
    if (!isOnlyAsking) journal.set('consent', job.rows);
    journal.set('preview', plan.people);
    if (plan.undoes?.unresolved) journal.set('unresolved', plan.undoes.unresolved);
    if (verified.length > 0) journal.set('canaries', verified);
    const toSend = changingKinds.reduce((sum, kind) => sum + plan.totals[kind], 0);
    const applied = applyRows(by, paired, run, fingerprints, options);
    const sent = await run.send({ ...applied.jobRows, canaries: known?.canaries, toSend });
    // A run that was stopped has not read all rows that were done before.
    const inPart = Math.max(applied.inPart(), journal.facts().updates_in_part ?? 0);
    if (inPart > 0) journal.set('updates_in_part', inPart);
    return withWholeDrift(await run.complete(sent), options.acceptedDrift ?? 0);
  } finally {
    run?.close();
    await actions.close();
    await input?.source.close();
  }
}

/** Says that the run of a plan goes on, which was agreed to and is not asked about again. */
function describeRest({ job: { rows }, unsent }: EarlierRun): string {
  const done = `${formatCount(rows - unsent)} of ${formatCount(rows, 'row')} ${rows - unsent === 1 ? 'has an outcome' : 'have outcomes'}`;
  return `This run goes on with an earlier one, which was agreed to: ${done}. It does not ask again.`;
}

/** Throws a `PlanError` if the plan was made again while a person was asked: its directory would have two plans and one journal. */
function requireSamePlan(directory: string, { digest }: Plan): void {
  if (readPlan(directory).digest === digest) return;
  const hint = 'Read the new plan, then run the command again.';
  throw changedPlan(`${directory}: the plan was made again meanwhile`, hint);
}

function refuseApplied(directory: string, { completed, purged, left = 0 }: Partial<EarlierRun> = {}): void {
  if (completed !== undefined && purged === undefined) refuseUndoneJob(directory, completed, left);
  const fault =
    purged === undefined
      ? completed && `this plan was applied at ${completed}`
      : `the personal data of this plan was deleted at ${purged}`;
  if (fault === undefined) return;
  const hint =
    'Make a new one, in another directory (--to): the tenant has changed since this plan was made.';
  throw new PlanError('PLAN_APPLIED', `${directory}: ${fault}`, hint);
}

function notApplied(directory: string): JobDirectoryError {
  const fault = 'the plan was not applied, so no row can be without an answer';
  return new JobDirectoryError(directory, fault, 'To apply it, leave out --only unanswered.');
}

function canaryOfPlan(directory: string) {
  const command = `tenant-users plan show ${quotePath(directory)} --action create`;
  return { where: 'a user whom the plan creates', which: `Name one of those (${command})` };
}

/** Finds and verifies the canaries; keeps those whose users the plan creates, with their actions. `undefined` without canaries. */
async function findKnown(input: OpenInput, actions: CheckedActions, { canaries, signal }: ApplyOptions) {
  if (!canaries) return undefined;
  const found = await verifyCanaries(input, canaries, signal);
  const verified = await countCanaries(input, [...found.values()], signal);
  const wanted = new Set([...found.values()].map(({ row }) => row));
  const lines = new Map<number, ActionLine>();
  for await (const line of actions.read()) {
    if (line.row !== null && wanted.has(line.row) && line.action === 'create') lines.set(line.row, line);
  }
  return { verified, lines, canaries: new Map([...found].filter(([, { row }]) => lines.has(row))) };
}

/** The rows of an undo, which has no file. */
async function* noRows(): AsyncGenerator<ValidatedRow[], void> {}

/** Reads the plan and its key; throws a `PlanError` that names what has changed since the plan was made or approved. */
function checkPlan(
  { jobDirectory: directory, target, requiredKey }: ApplyOptions,
  earlier: EarlierRun | undefined,
) {
  const plan = readPlan(directory);
  if (requiredKey !== undefined) verifyPlan(directory, plan, requiredKey);
  const path = pathIn(directory, 'plan.key');
  const key = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (sha256(key) !== plan.key)
    throw changedPlan(
      `${path}: the key of the plan is not what it was`,
      'Restore it, or make the plan again.',
    );
  // The tenant of a plan that was begun may have got another address since.
  if (earlier?.job.optionsDigest === plan.digest) requireTargetOfJob(directory, earlier.job.target, target);
  else requireTarget(`${directory}: the plan was made for`, storedTarget(plan.target, directory), target);
  return { plan: { ...plan, target }, key };
}

async function openPlanned({ file, reading, mapping }: Plan, options: ApplyOptions): Promise<OpenInput> {
  const path = options.file ?? file.path;
  const { signal, key } = options;
  const wrongFile = (fault: string) =>
    new PlanError(
      'PLAN_FILE',
      `${path}: ${fault}`,
      'Restore the file as it was; apply also takes it from another path with --file. Or make a new plan in another directory (--to).',
    );
  let input: OpenInput;
  try {
    input = await openInput(path, { ...reading, signal, key });
  } catch (failure) {
    throw failure instanceof SourceError ? wrongFile(`not the file of the plan: ${failure.fault}`) : failure;
  }
  const isSameFile = input.source.digest === file.digest;
  if (isSameFile && input.columns.optionsDigest === mapping) return input;
  await input.source.close();
  if (!isSameFile) throw wrongFile('the file was changed after the plan was made');
  throw new PlanError(
    'PLAN_MAPPING',
    `${path}: the file would be read in another way than the plan read it`,
    'Give the same key with --key-file, go on with the version of the program that made the plan, or make a new one in another directory (--to).',
  );
}
