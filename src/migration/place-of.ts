import type { ValidRow } from './checked-row.ts';
import { keyOf } from './existing/find-holders.ts';
import type { RowPlace } from './outcome.ts';

/** Which row and which user an outcome is about; nothing of the password but its algorithm. */
export function placeOf({ row, line, user }: ValidRow): RowPlace {
  return {
    row,
    line,
    userName: user.user_name,
    externalId: user.external_id,
    algorithm: user['hash-pwd']?.algorithm,
    key: keyOf(user),
  };
}
