import type { RowAction } from '../actions/decide.ts';
import type { ReasonCode } from '../actions/reasons.ts';
import type { DecidedRow } from '../owners/decide-rows.ts';

/** The verdicts of a comparison on a row, or on a user who is in no row (`extra`). Each has its own list. */
export const verdictNames = ['same', 'differs', 'missing', 'extra', 'ambiguous', 'invalid'] as const;

export type VerdictName = (typeof verdictNames)[number];

const ofKind = {
  create: 'missing',
  same: 'same',
  update: 'differs',
  disable: 'differs',
  cannot: 'differs',
  conflict: 'ambiguous',
} as const satisfies Record<RowAction['kind'], VerdictName>;

/**
 * A row without a key is ambiguous: it cannot be known whether its user is missing. A user who has other identifiers now is known
 * by the job.
 */
const ofReason: { [Code in ReasonCode]?: VerdictName } = { NO_KEY: 'ambiguous', OTHER_NAMES: 'differs' };

/** Returns the verdict on a row, derived from the action that it would need. */
export function verdictOfRow(decided: DecidedRow): VerdictName {
  if (!('action' in decided)) return 'invalid';
  const { kind, reason } = decided.action;
  return ofReason[reason] ?? ofKind[kind];
}

/** Returns the verdicts other than `same` that a comparison has found; without any, file and tenant are equal. */
export function differencesIn(summary: Record<VerdictName, number>): VerdictName[] {
  return verdictNames.filter((name) => name !== 'same' && summary[name] > 0);
}

/** True if users may count as extra only because the rows about them fail the checks. */
export function isExtraUnsure({ extra, unrecognised }: { extra: number; unrecognised: number }): boolean {
  return extra > 0 && unrecognised > 0;
}
