import type { Calls } from '../../client/calls.ts';
import type { User } from '../../contract/wire.ts';
import { weighListing } from '../owners/choose-source.ts';
import { listTenant } from '../owners/list-owners.ts';
import { answerOf, type RunControl } from '../send/call-api.ts';
import { userOrNobody } from '../send/existing-user.ts';
import type { Cohort } from './open-cohort.ts';

export type MemberReader = Pick<Calls, 'listUsers' | 'getUser'>;

/**
 * Reads the members who had not logged in, in the cheaper way: by a listing, or one by one. Members who are not in the listing are
 * looked up by ID, so that users who move between pages during the listing are not missed.
 */
export async function lookAtMembers(cohort: Cohort, reader: MemberReader, control: RunControl) {
  const { users, isListing, reason } = await weighListing(reader, control, cohort.forget());
  if (isListing) {
    const listing = listTenant(reader, control);
    for await (const page of listing.pages) {
      cohort.see(page);
      const { users: done, total } = listing.completeness();
      control.onStep?.({ what: 'users read', done, total });
    }
  }
  let done = 0;
  for (const ids of cohort.unseen()) {
    const found = await Promise.all(ids.map((id) => findMember(reader, control, id)));
    cohort.see(found.filter((user) => user !== undefined));
    done += ids.length;
    if (!isListing) control.onStep?.({ what: 'users read', done, total: cohort.size });
  }
  return { users, reason };
}

/** Returns the user with this ID; `undefined` if the tenant no longer has them. Rejects with any other failure of the call. */
export function findMember(
  reader: Pick<MemberReader, 'getUser'>,
  control: RunControl,
  id: string,
): Promise<User | undefined> {
  return userOrNobody(
    'getUser',
    answerOf(control, () => reader.getUser(id)),
  );
}
