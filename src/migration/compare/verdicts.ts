import type { RowAction } from '../actions/decide.ts';
import type { ReasonCode } from '../actions/reasons.ts';
import type { DecidedRow } from '../owners/decide-rows.ts';

/** What a comparison can say of a row, or of a user. Each has a list of its own. */
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

/** Of a row without a key nobody can say that its user is missing. */
const ofReason: { [Code in ReasonCode]?: VerdictName } = { NO_KEY: 'ambiguous' };

/** The verdict on a row, by what would have to be done for it. */
export function verdictOfRow(decided: DecidedRow): VerdictName {
  if (!('action' in decided)) return 'invalid';
  const { kind, reason } = decided.action;
  return ofReason[reason] ?? ofKind[kind];
}

/** The verdicts that a comparison has found but `same`: where there are none, file and tenant are equal. */
export function differencesIn(summary: Record<VerdictName, number>): VerdictName[] {
  return verdictNames.filter((name) => name !== 'same' && summary[name] > 0);
}
