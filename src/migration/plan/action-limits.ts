import { formatCount } from '../../text/format-count.ts';
import type { ChangingKind, PlannedKind } from '../actions/reasons.ts';
import { StoppedError } from '../model/errors.ts';
import { describeRowLimit, type RowLimit } from '../model/row-limit.ts';

/** Most actions of a kind: a number, or a part of the users of the tenant, or of the rows for creating. */
export interface ActionLimit {
  kind: PlannedKind;
  most: RowLimit;
}

/** Disabling cannot be taken back: without a limit of its own so much of the tenant, and one user, may be disabled. */
const mostDisabled: ActionLimit = { kind: 'disable', most: { fraction: 0.1 } };

/** Throws a `StoppedError` where a plan would do more of a kind than is allowed. */
export function requireWithinLimits(
  { totals }: { totals: Record<PlannedKind, number> },
  {
    limits = [],
    users,
    rows,
    disableMissing = false,
    only,
  }: {
    limits?: readonly ActionLimit[] | undefined;
    users: number;
    rows: number;
    disableMissing?: boolean | undefined;
    only?: ChangingKind | undefined;
  },
): void {
  if (disableMissing && totals.invalid > 0) {
    const who = totals.invalid === 1 ? '1 row fails' : `${formatCount(totals.invalid)} rows fail`;
    throw new StoppedError(
      'PLAN_LIMIT',
      `${who} the checks, and whoever has no valid row would count as missing and be disabled`,
      'Correct the file first, or leave out --disable-missing: with --since the plan lists who is missing in vanished.csv.',
    );
  }
  // Each row of a plan that only disables names whom.
  const isLimited = only === 'disable' || limits.some(({ kind }) => kind === 'disable');
  const own = isLimited ? [] : [mostDisabled];
  for (const { kind, most } of [...limits, ...own]) {
    const [whole, of] = kind === 'create' ? [rows, 'row'] : [users, 'user'];
    const allowed = 'rows' in most ? most.rows : Math.max(Math.floor(most.fraction * whole), 1);
    if (totals[kind] <= allowed) continue;
    throw new StoppedError(
      'PLAN_LIMIT',
      `the plan would ${kind} ${formatCount(totals[kind])} of ${formatCount(whole, of)}, and at most ${formatCount(allowed)} (${describeRowLimit(most)}) are allowed`,
      `Is it the right file? If so, allow more with --at-most ${kind}=${totals[kind]}.`,
    );
  }
}
