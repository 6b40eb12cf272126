import { noTotal } from '../../client/calls.ts';
import { formatCount } from '../../text/format-count.ts';
import type { PlannedKind } from '../actions/reasons.ts';
import { StoppedError } from '../model/errors.ts';
import { describeRowLimit, type RowLimit, rowsIn } from '../model/row-limit.ts';
import type { Plan } from './document/plan-schemas.ts';

/**
 * Limit on the actions of a kind: a number, or a fraction of the users whom the plan could disable (for `create`, of the rows of the
 * file), which allows at least one action unless it is 0.
 */
export interface ActionLimit {
  kind: PlannedKind;
  most: RowLimit;
}

/** Default limit, because disabling cannot be undone: this fraction of the users, and nobody because of an old file. */
export const mostDisabled = (isOld: boolean): ActionLimit => ({
  kind: 'disable',
  most: { fraction: isOld ? 0 : 0.1 },
});

/** Throws a `StoppedError` for a plan that disables missing users while rows are invalid, or KEY_CHANGED. */
export function requireValidRows({
  totals,
  reasons: { KEY_CHANGED: changed = 0 },
  invalid,
}: Pick<Plan, 'totals' | 'reasons'> & { invalid: readonly string[] }): void {
  const failed = totals.invalid + changed;
  if (failed === 0) return;
  const who = failed === 1 ? '1 row fails' : `${formatCount(failed)} rows fail`;
  const more = failed - invalid.length;
  const which = [...invalid, ...(more > 0 ? [`and ${formatCount(more)} more`] : [])].join(', ');
  throw new StoppedError(
    'PLAN_LIMIT',
    `${who} the checks (${which}), and whoever has no valid row would count as missing and be disabled`,
    'Correct the file first: the same command without --disable-missing makes a plan that lists all of these rows.',
  );
}

/** What the limits of a plan refer to. */
interface Whole {
  /** Null if the service did not send it. */
  users: number | null;
  /** How many users the earlier file had, if those who are missing are disabled: it would be a small part of a large tenant. */
  known?: number | undefined;
  rows: number;
  /** Directory of a job before the earlier one, if that had this very file. */
  olderJob?: string | undefined;
}

/** Throws a `StoppedError` if a plan has more actions of a kind than allowed. */
export function requireWithinLimits(
  totals: Plan['totals'],
  limits: readonly ActionLimit[] = [],
  { users, known, rows, olderJob }: Whole,
): void {
  for (const { kind, most } of limits) {
    const isOfFile = kind === 'disable' && known !== undefined && known < (users ?? Number.POSITIVE_INFINITY);
    const [whole, of] = kind === 'create' ? [rows, 'row'] : [isOfFile ? known : users, 'user'];
    const allowed = rowsIn(most, 1) === 0 ? 0 : Math.max(Math.floor(rowsIn(most, whole ?? 0)), 1);
    if (totals[kind] <= allowed) continue;
    const ofWhole =
      whole === null ? '' : ` of ${formatCount(whole, of)}${isOfFile ? ' of the earlier file' : ''}`;
    const unknown = whole === null ? `; ${noTotal}` : '';
    throw new StoppedError(
      'PLAN_LIMIT',
      `the plan would ${kind} ${formatCount(totals[kind], whole === null ? of : undefined)}${ofWhole}, and at most ${formatCount(allowed)} (${describeRowLimit(most)}) are allowed${unknown}`,
      `${olderJob === undefined ? '' : `The file is that of the job in ${olderJob}, an older one. `}Is this what you want? If so, allow more with --at-most ${kind}=${totals[kind]}.`,
    );
  }
}
