import type { User } from '../../contract/wire.ts';
import { findMember } from '../cohort/look-at-members.ts';
import { openLists } from '../directory/write-lists.ts';
import type { EarlierRows } from '../owners/earlier-rows.ts';
import type { TenantReader } from '../owners/list-owners.ts';
import type { RunControl } from '../send/call-api.ts';

const columns = ['row', 'user_id', 'user_name', 'external_id'] as const;

export type VanishedUsers = Awaited<ReturnType<typeof listVanished>>;

/**
 * Writes the users of an earlier file who are in no row any more, with their names only if `withValues` is set. The list is for the
 * caller to complete.
 */
export async function listVanished(earlier: EarlierRows, directory: string, withValues: boolean) {
  const shown = withValues ? columns : columns.slice(0, 2);
  const list = await openLists(directory, { vanished: shown });
  let count = 0;
  try {
    for (const users of earlier.vanished()) {
      for (const user of users) {
        const line = shown.map((name) => user[name] ?? '');
        list.add('vanished', line);
      }
      count += users.length;
      await list.flush();
    }
    return { count, list };
  } catch (failure) {
    await list.close();
    throw failure;
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
