import type { SsoUser } from '../../../contract/wire.ts';
import type { Result } from '../../output/formats/format.ts';

/** A result that shows the user of a ticket, one line per field. */
export function ssoUser(user: SsoUser): Result {
  return { rows: [user], columns: ['id', 'userName', 'name', 'mobile', 'email'], single: true };
}
