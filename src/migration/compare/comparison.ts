import * as v from 'valibot';
import { amount, count, described, text } from '../../contract/value-schemas.ts';
import type { RowAction } from '../actions/decide.ts';
import type { ReasonCode } from '../actions/reasons.ts';
import type { DecidedRow } from '../owners/decide-rows.ts';

/** The result of a comparison, as in `summary.json` and `--json`. */
export const comparison = v.strictObject({
  directory: described(text, 'where the lists are'),
  file: text,
  digest: described(text, 'SHA-256 of the file'),
  target: v.record(v.string(), text),
  job: v.exactOptional(text),
  rows: described(count, 'same + differs + missing + ambiguous + invalid'),
  users: described(count, 'users of the tenant'),
  same: count,
  differs: count,
  missing: described(count, 'no user has a key of the row'),
  extra: described(count, 'users whom no row finds'),
  ambiguous: described(
    count,
    'the keys of the row belong to several users, or to one only as another key, or it has none',
  ),
  invalid: described(count, 'rows that fail the checks, and are not compared'),
  disabled_unknown: described(
    count,
    'of those, rows with no other fault than the column disabled, which is neither true nor false',
  ),
  unrecognised: described(
    count,
    'of those, rows about a person by which no user was found: extra.csv may have their users',
  ),
  changed_since: described(count, 'users who differ, were created by the job, and were changed since'),
  fields: described(v.record(v.string(), count), 'number of rows that differ, by field'),
  complete: described(v.boolean(), 'false: the tenant was changed while it was read'),
  faults: described(v.array(text), 'why it is not complete'),
  seconds: amount,
});

export type ComparisonSummary = v.InferOutput<typeof comparison>;

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
