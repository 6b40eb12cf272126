import type { UserReference } from '../../../contract/wire.ts';
import type { Result } from '../../formats/formats.ts';

/** What a write answers: the id of the user. */
export function userReference({ user_id }: UserReference): Result {
  return { rows: [{ user_id }], columns: ['user_id'], single: true };
}
