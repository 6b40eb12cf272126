import type { HashedUser } from '../../contract/wire.ts';
import { findingTable } from '../finding-table.ts';
import type { Existing, NotCreated } from '../outcome.ts';
import { type Finder, findHolders, hasUniqueKey, keyFields } from './find-holders.ts';
import { judgeHolders } from './judge-holders.ts';

/** For a row that was sent and whose user is not the person of the row. */
const meeting = { code: 'CONFLICT', hint: findingTable.CONFLICT.remedy };

/**
 * What became of a row that may have been sent: its user is looked for. `undefined`: nobody holds its keys, and it may
 * be sent again. A row that cannot be looked up, or that could make a second user, is never sent again. Rejects when a
 * look-up gets no answer.
 */
export async function settleDoubt(
  finder: Finder,
  row: HashedUser,
  unknown: NotCreated,
): Promise<Existing | NotCreated | undefined> {
  if (keyFields.every((field) => row[field] === undefined)) return unknown;
  const met = judgeHolders(row, await findHolders(finder, row), meeting);
  if (hasUniqueKey(row)) return met;
  // Somebody else with the same external id says nothing about the row.
  return met?.result === 'existing' ? met : unknown;
}
