import type { SsoUser } from '../../../contract/wire.ts';
import type { Result } from '../../output/formats/format.ts';

/** The user of a ticket, a line a field. */
export function ssoUser(user: SsoUser): Result {
  return { rows: [user], columns: ['id', 'userName', 'name', 'mobile', 'email'], single: true };
}
