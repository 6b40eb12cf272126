import { hidden } from '../../text/redact.ts';

/** What says nothing about who a user is. */
const shown: ReadonlySet<string> = new Set([
  'user_id',
  'disabled',
  'created_at',
  'updated_at',
  'pwd_change_at',
  'usr_auth_times',
  'usr_last_login',
]);

/** A user without the values that identify a person; which of them there are can still be seen. */
export function hideValues(user: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(user).map(([name, value]) => [name, shown.has(name) || isEmpty(value) ? value : hidden]),
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '';
}
