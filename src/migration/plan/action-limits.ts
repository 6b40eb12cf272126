import { formatCount } from '../../text/format-count.ts';
import type { PlannedKind } from '../actions/reasons.ts';
import { StoppedError } from '../model/errors.ts';
import { describeRowLimit, type RowLimit, rowsIn } from '../model/row-limit.ts';
import type { Plan } from './plan-schemas.ts';

/**
 * Limit on the actions of a kind: a number, or a fraction of the users whom the plan could disable (for `create`, of the rows of the
 * file), which allows at least one action unless it is 0.
 */
export interface ActionLimit {
  kind: PlannedKind;
  most: RowLimit;
}

/** Default limit, because disabling cannot be undone: this fraction of the users, and nobody because of an old file. */
const mostDisabled = (isOld: boolean): ActionLimit => ({
  kind: 'disable',
  most: { fraction: isOld ? 0 : 0.1 },
});

/** Throws a `StoppedError` if a plan has more actions of a kind than allowed, or disables missing users while rows are invalid, or KEY_CHANGED. */
export function requireWithinLimits(
  {
    totals,
    reasons: { KEY_CHANGED: changed = 0 } = {},
    invalid = [],
  }: Pick<Plan, 'totals'> & { reasons?: Plan['reasons']; invalid?: readonly string[] },
  {
    limits = [],
    users,
    known = users,
    rows,
    disableMissing = false,
    disableAll = false,
    olderJob,
  }: {
    limits?: readonly ActionLimit[] | undefined;
    users: number;
    /** With `disableMissing`, how many users the earlier file had: a small file would be a small fraction of a large tenant. */
    known?: number | undefined;
    rows: number;
    disableMissing?: boolean | undefined;
    disableAll?: boolean | undefined;
    /** Directory of a job before the earlier one, if that had this very file. */
    olderJob?: string | undefined;
  },
): void {
  const failed = totals.invalid + changed;
  if (disableMissing && failed > 0) {
    const who = failed === 1 ? '1 row fails' : `${formatCount(failed)} rows fail`;
    const more = failed - invalid.length;
    const which = [...invalid, ...(more > 0 ? [`and ${formatCount(more)} more`] : [])].join(', ');
    throw new StoppedError(
      'PLAN_LIMIT',
      `${who} the checks (${which}), and whoever has no valid row would count as missing and be disabled`,
      'Correct the file first: the same command without --disable-missing makes a plan that lists all of these rows.',
    );
  }
  // If somebody wants all users of a file disabled, the default limit does not apply.
  const isLimited = disableAll || limits.some(({ kind }) => kind === 'disable');
  const own = isLimited ? [] : [mostDisabled(olderJob !== undefined && disableMissing)];
  for (const { kind, most } of [...limits, ...own]) {
    const isOfFile = disableMissing && kind === 'disable' && known < users;
    const [whole, of] = kind === 'create' ? [rows, 'row'] : [isOfFile ? known : users, 'user'];
    const allowed = rowsIn(most, 1) === 0 ? 0 : Math.max(Math.floor(rowsIn(most, whole)), 1);
    if (totals[kind] <= allowed) continue;
    throw new StoppedError(
      'PLAN_LIMIT',
      `the plan would ${kind} ${formatCount(totals[kind])} of ${formatCount(whole, of)}${isOfFile ? ' of the earlier file' : ''}, and at most ${formatCount(allowed)} (${describeRowLimit(most)}) are allowed`,
      `${olderJob === undefined ? '' : `The file is that of the job in ${olderJob}, an older one. `}Is this what you want? If so, allow more with --at-most ${kind}=${totals[kind]}.`,
    );
  }
}
