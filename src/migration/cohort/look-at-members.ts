import type { Calls } from '../../client/calls.ts';
import { listAllUsers } from '../../client/list-all-users.ts';
import { errorCatalogue } from '../../contract/errors.ts';
import { pageLimits } from '../../contract/operations.ts';
import type { ListQuery, User } from '../../contract/wire.ts';
import { weighListing } from '../owners/choose-source.ts';
import { answerOf, type RunControl } from '../send/call-api.ts';
import type { Cohort } from './open-cohort.ts';

/** The calls by which members are looked at. */
export type MemberReader = Pick<Calls, 'listUsers' | 'getUser'>;

/**
 * Looks at the members who had not logged in, in the cheaper way: page by page, or one by one. Who is not in the pages is
 * asked for by id, so that users who move while they are listed are not lost.
 */
export async function lookAtMembers(
  cohort: Cohort,
  reader: MemberReader,
  control: RunControl,
  onUsers: (users: number, total: number) => void = () => {},
): Promise<{ users: number; reason: string }> {
  const { users, isListing, reason } = await weighListing(reader, control, cohort.forget());
  if (isListing) {
    const listUsers = (query: ListQuery) => answerOf(control, () => reader.listUsers(query));
    const listing = listAllUsers({ listUsers }, { limit: pageLimits.max });
    for await (const page of listing.pages) {
      cohort.see(page);
      const { users: count, total } = listing.verdict();
      onUsers(count, total);
    }
  }
  let asked = 0;
  for (const ids of cohort.open()) {
    const found = await Promise.all(ids.map((id) => findMember(reader, control, id)));
    cohort.see(found.filter((user) => user !== undefined));
    asked += ids.length;
    if (!isListing) onUsers(asked, cohort.size);
  }
  return { users, reason };
}

/** A user by id; `undefined` where the tenant does not know them any more. Rejects with what the tenant failed with. */
export function findMember(
  reader: Pick<MemberReader, 'getUser'>,
  control: RunControl,
  id: string,
): Promise<User | undefined> {
  return answerOf(
    control,
    () => reader.getUser(id),
    (error) => {
      if (error.code === errorCatalogue.userNotFound.code) return undefined;
      throw error;
    },
  );
}
