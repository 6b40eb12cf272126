import type { User } from '../../contract/wire.ts';
import { findMember } from '../cohort/look-at-members.ts';
import { type ListWriter, openLists } from '../directory/write-lists.ts';
import type { EarlierRows } from '../owners/earlier-rows.ts';
import type { TenantReader } from '../owners/list-owners.ts';
import type { RunControl } from '../send/call-api.ts';

const columns = ['row', 'user_id', 'user_name', 'external_id'] as const;

/** The list of the users of an earlier file who are in no row any more. */
export type VanishedList = ListWriter<'vanished'>;

const shown = (withValues: boolean) => (withValues ? columns : columns.slice(0, 2));

/** Opens the list in the directory of a plan. `withValues`: it has the names of the users. */
export function openVanishedList(directory: string, withValues: boolean): Promise<VanishedList> {
  return openLists(directory, { vanished: shown(withValues) });
}

/**
 * Reads the vanished users from the tenant, and adds them to the list. Those whom the tenant no longer has, and those who are
 * disabled, are left out. Rejects with what a call fails with.
 */
export async function* lookUpVanished(
  reader: TenantReader,
  control: RunControl,
  earlier: EarlierRows,
  list: VanishedList,
  withValues: boolean,
): AsyncGenerator<User[], void> {
  for (const gone of earlier.vanished()) {
    const found = await Promise.all(
      gone.map(async ({ row, userId }) => ({ row, user: await findMember(reader, control, userId) })),
    );
    const left = found.flatMap(({ row, user }) => (user && !user.disabled ? [{ row, user }] : []));
    for (const { row, user } of left) {
      const line = { ...user, row };
      list.add(
        'vanished',
        shown(withValues).map((name) => line[name] ?? ''),
      );
    }
    await list.flush();
    yield left.map(({ user }) => user);
  }
}
