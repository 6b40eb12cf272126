import { driftReason } from '../actions/reasons.ts';
import { StoppedError } from '../model/errors.ts';
import { type Summary, unsentRows } from '../model/summary.ts';
import type { RunControl } from '../send/call-api.ts';

/** Stops a run if more users have drifted than may. */
export function stopAtDrift({ breaker }: RunControl, drifted: number, accepted: number): void {
  if (drifted > accepted) breaker.stop(driftError(drifted, accepted));
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
