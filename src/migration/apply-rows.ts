import { systemClock } from '../client/retry.ts';
import type { Fingerprints } from './actions/fingerprints.ts';
import { changingKinds, driftReason, reasons } from './actions/reasons.ts';
import { countOutcomes } from './journal/reading/count-outcomes.ts';
import { StoppedError } from './model/errors.ts';
import type { Outcome } from './model/outcome.ts';
import { type Summary, unsentRows } from './model/summary.ts';
import type { JobOptions, JobRun } from './open-run.ts';
import { type ApplyClient, applyAction } from './plan/apply-action.ts';
import type { ActionLine } from './plan/document/plan-schemas.ts';
import type { pairRows } from './plan/planned-rows.ts';
import type { ValidatedRow } from './rows/validate-rows.ts';
import type { JobMemory } from './send/job-memory.ts';
import type { JobRows } from './send/launch-rows.ts';
import { createSelection } from './send/select-rows.ts';

export interface PlannedRunOptions extends Pick<JobOptions, 'clock'> {
  mode?: Extract<JobOptions['mode'], 'only unanswered'> | undefined;
  /** Number of users who may differ from what the plan saw; they are not touched. More stop the run. */
  acceptedDrift?: number | undefined;
}

/** What is done with the rows of a plan. `inPart`: number of users who were updated, in this run or before, but not in every field. */
export function applyRows(
  client: ApplyClient,
  paired: ReturnType<typeof pairRows>,
  { journal, control, memory }: JobRun,
  fingerprints: Fingerprints,
  { acceptedDrift = 0, clock: { now } = systemClock, mode }: PlannedRunOptions,
): { jobRows: JobRows; inPart: () => number } {
  const isOnlyAsking = mode === 'only unanswered';
  // The plan found no such user: until the job has created one, whose time tells, one who is found was created by the job.
  const isFirst = () => journal.users.firstCreated().length === 0;
  const ownMemory: JobMemory = {
    ...memory,
    madeByThisJob: async (user) => isFirst() || memory.madeByThisJob(user),
  };
  const shared = { client, control, memory: ownMemory, fingerprints, now };
  const run = { ...shared, isOnlyAsking };
  // The high-water mark is ahead of what was sent: a user who registered meanwhile would be taken for one whom this job created.
  const creating = createSelection(journal, undefined, {
    areExact: true,
    isOnlyAsking,
  });
  let drifted = countOutcomes(journal.committed())
    .filter(({ code }) => code === driftReason.code)
    .reduce((sum, { rows: found }) => sum + found, 0);
  const stopIfDrifted = () => {
    // A run that sends nothing touches nobody.
    if (!isOnlyAsking && drifted > acceptedDrift) control.breaker.stop(driftError(drifted, acceptedDrift));
  };
  stopIfDrifted();
  let inPart = 0;
  const countInPart = (line: ActionLine | undefined, result: Outcome['result'] | undefined) => {
    const isThere = result === 'updated' || (result === 'existing' && line?.action === 'update');
    if (isThere && line?.unchangeable?.length) inPart += 1;
  };

  function select(row: ValidatedRow): ValidatedRow | undefined {
    const before = journal.run > 1 ? journal.outcomeOf(row.row)?.result : undefined;
    const isDone = before !== undefined;
    const line = paired.peek(row.row);
    countInPart(line, before);
    const isLeft = isOnlyAsking && arrivalOf(row.row, line) === undefined;
    if (isDone || isLeft || row.user === undefined) paired.take(row.row);
    // The high-water mark says nothing about a row that is no change: it was not sent.
    if (isLeft && !isDone) journal.withdraw(row.row);
    if (isDone || isLeft) return undefined;
    if (row.user === undefined) return row;
    if (line?.action === 'create') return creating(row);
    if (!isChange(line)) return row;
    const arrivesUntil = arrivalOf(row.row, line);
    // A change that was looked up before its request arrived would count as not sent.
    if (isOnlyAsking && arrivesUntil !== undefined) return { ...row, mayHaveBeenSent: true, arrivesUntil };
    journal.intend(row.row);
    return arrivesUntil === undefined ? row : { ...row, mayHaveBeenSent: true };
  }

  /** Returns until when a request that an earlier run may have sent for a row can still arrive; `undefined` if there was none. */
  function arrivalOf(row: number, line: ActionLine | undefined): number | undefined {
    if (line?.action !== 'create' && !isChange(line)) return undefined;
    // Each create has an intent of its own; the high-water mark is that of the changes.
    return journal.arrivesUntil(row, isChange(line));
  }

  const jobRows: JobRows = {
    rows: paired.lists,
    isSent: ({ row }) => changingKinds.some((kind) => kind === paired.peek(row)?.action),
    select,
    async runRow(row) {
      const line = paired.take(row.row);
      if (!line) throw new TypeError(`row ${row.row} has no action`);
      const outcome = await applyAction(run, row, line);
      countInPart(line, outcome.result);
      if ('code' in outcome && outcome.code === driftReason.code) {
        drifted += 1;
        stopIfDrifted();
      }
      return outcome;
    },
    isSending: true,
    isEarly: () => isOnlyAsking,
    // Outcomes that the plan foresaw, and drift, say nothing about the service.
    isWatched: (outcome) =>
      !('isFromEarlierRun' in outcome) &&
      !(
        'code' in outcome &&
        outcome.code !== null &&
        (outcome.code === driftReason.code || Object.hasOwn(reasons, outcome.code))
      ),
  };
  return { jobRows, inPart: () => inPart };
}

function isChange(line: ActionLine | undefined): boolean {
  return line?.action === 'update' || line?.action === 'disable';
}

/** Names all drifted users of a run that drift has stopped: when the first one did so, others were under way. */
export function withWholeDrift<Result extends { summary: Summary; stoppedBy?: Error }>(
  result: Result,
  accepted: number,
): Result {
  const { summary, stoppedBy } = result;
  const isDrift = stoppedBy instanceof StoppedError && stoppedBy.code === driftReason.code;
  if (!isDrift) return result;
  const isLeft = unsentRows(summary) + summary.unknown > 0;
  return { ...result, stoppedBy: driftError(summary.codes[driftReason.code] ?? 0, accepted, isLeft) };
}

function driftError(drifted: number, accepted: number, isLeft = true): StoppedError {
  const met = isLeft ? ' met so far' : '';
  const users = drifted === 1 ? `1 user${met} is` : `${drifted} users${met} are`;
  const next = isLeft
    ? `The users of the actions left were not looked at. Make a new plan in another directory (--to), or go on with --accept-drift ${drifted} or more.`
    : 'All other actions were carried out. For these users, make a new plan in another directory (--to).';
  return new StoppedError(
    driftReason.code,
    `${users} no longer as the plan saw them, and ${accepted} may be`,
    `They were not touched: see failures.csv in the plan directory. ${next}`,
  );
}
