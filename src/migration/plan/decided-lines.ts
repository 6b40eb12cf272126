import type { User } from '../../contract/wire.ts';
import type { RowAction } from '../actions/decide.ts';
import type { RowField } from '../actions/differences.ts';
import type { Fingerprints } from '../actions/fingerprints.ts';
import { type ReasonCode, reasons } from '../actions/reasons.ts';
import type { DecidedRow } from '../owners/decide-rows.ts';
import type { ActionLine } from './document/plan-schemas.ts';

/** Returns the line of a row. `withValues`: with the names of the user and what an update changes, but never with a hash. */
export function lineOf(decided: DecidedRow, fingerprints: Fingerprints, withValues: boolean): ActionLine {
  const { row } = decided.row;
  const earlier = decided.earlierUser === undefined ? {} : { earlier_user_id: decided.earlierUser };
  if (!('action' in decided)) {
    const { isSkipped, issues } = decided.row;
    return isSkipped
      ? { row, action: 'skipped', reason: 'RECIPE' }
      : { row, action: 'invalid', reason: issues[0]?.code ?? '', ...earlier };
  }
  const { action, person } = decided;
  const { user, isDisabled } = decided.row;
  const { kind, reason, userId, fields, unchangeable, owners } = action;
  return {
    row,
    action: kind,
    reason,
    ...(userId === undefined ? earlier : { user_id: userId }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(unchangeable.length === 0 ? {} : { unchangeable }),
    ...(kind === 'conflict' ? { owners } : {}),
    ...(person && (kind === 'update' || kind === 'disable') ? { seen: fingerprints.ofUser(person) } : {}),
    ...fingerprints.ofRow(user, isDisabled),
    ...(withValues ? { user_name: user.user_name, external_id: user.external_id } : {}),
    ...(withValues && person && kind === 'update' ? { changes: shownChanges(action, decided, person) } : {}),
  };
}

function shownChanges({ fields }: RowAction, decided: DecidedRow, person: User) {
  const user = decided.row.user ?? {};
  return Object.fromEntries(
    fields.map((field) => {
      const key = field.slice('extension.'.length);
      const isExtension = field.startsWith('extension.');
      const shown = (one: Partial<User>) =>
        (isExtension ? one.extension?.[key] : one[field as keyof User & RowField]) ?? '';
      return [field, { from: shown(person), to: shown(user) }];
    }),
  );
}

/** Returns the line of a user who is in no row of the file. `withLogins`: a later login counts as drift. */
export function userLine(
  reason: ReasonCode,
  { user_id, user }: { user_id: string; user: User | undefined },
  fingerprints: Fingerprints,
  { withValues, withLogins = false }: { withValues: boolean; withLogins?: boolean },
): ActionLine {
  const action = reasons[reason].kind;
  return {
    ...{ row: null, action, reason, user_id },
    ...(user && action === 'disable' ? { seen: fingerprints.ofUser(user, withLogins) } : {}),
    ...(withValues && user ? { user_name: user.user_name, external_id: user.external_id } : {}),
  };
}
