import type { User } from '../../contract/wire.ts';
import { findMember } from '../cohort/look-at-members.ts';
import { openLists } from '../directory/write-lists.ts';
import type { EarlierRows } from '../owners/earlier-rows.ts';
import type { TenantReader } from '../owners/list-owners.ts';
import type { RunControl } from '../send/call-api.ts';

const columns = ['row', 'user_id', 'user_name', 'external_id'] as const;

/**
 * Writes the users of an earlier file who are in no row any more to `vanished.csv`, with their names only if `withValues` is set.
 * Resolves to their number.
 */
export async function listVanished(
  earlier: EarlierRows,
  directory: string,
  withValues: boolean,
): Promise<number> {
  const shown = withValues ? columns : columns.slice(0, 2);
  const lists = await openLists(directory, { vanished: shown });
  let count = 0;
  try {
    for (const users of earlier.vanished()) {
      for (const user of users) {
        const line = shown.map((name) => user[name] ?? '');
        lists.add('vanished', line);
      }
      count += users.length;
      await lists.flush();
    }
    await lists.complete();
    return count;
  } finally {
    await lists.close();
  }
}

/** Reads the vanished users from the tenant; those whom it no longer has are left out. Rejects with what a call fails with. */
export async function* lookUpVanished(
  reader: TenantReader,
  control: RunControl,
  earlier: EarlierRows,
): AsyncGenerator<User[], void> {
  for (const users of earlier.vanished()) {
    const found = await Promise.all(users.map(({ user_id: id }) => findMember(reader, control, id)));
    yield found.filter((user) => user !== undefined);
  }
}
