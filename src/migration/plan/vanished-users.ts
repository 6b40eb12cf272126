import type { User } from '../../contract/wire.ts';
import { findMember } from '../cohort/open-cohort.ts';
import { openLists } from '../directory/write-lists.ts';
import type { EarlierRows } from '../owners/earlier-rows.ts';
import type { TenantReader } from '../owners/list-owners.ts';
import type { RunControl } from '../send/call-api.ts';

const columns = ['row', 'user_id', 'reason', 'user_name', 'external_id'] as const;

/** The list of the users of an earlier file who are in no row any more. */
export type VanishedList = Awaited<ReturnType<typeof openVanishedList>>;

/** Opens the list of those of `earlier` in the directory of a plan. `withValues`: it has the names of the users. */
export async function openVanishedList(directory: string, earlier: EarlierRows, withValues: boolean) {
  const shown = withValues ? columns : columns.slice(0, 3);
  const list = await openLists(directory, { vanished: shown });
  return {
    ...list,
    /**
     * Reads the vanished users from the tenant, and adds them to the list. Those whom the tenant no longer has, and those who are
     * disabled, are left out. Rejects with what a call fails with. `reasonOf`: why the plan disables a user, or does not.
     */
    async *lookUp(reader: TenantReader, control: RunControl, reasonOf: (user: User) => string) {
      for (const gone of earlier.vanished()) {
        const found = await Promise.all(
          gone.map(async ({ row, userId }) => ({ row, user: await findMember(reader, control, userId) })),
        );
        const left = found.flatMap(({ row, user }) => (user && !user.disabled ? [{ row, user }] : []));
        for (const { row, user } of left) {
          const line = { ...user, row, reason: reasonOf(user) };
          const cells = shown.map((name) => line[name] ?? '');
          list.add('vanished', cells);
        }
        await list.flush();
        yield left.map(({ user }) => user);
      }
    },
  };
}
