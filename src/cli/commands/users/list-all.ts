import type { Client } from '../../../client/client.ts';
import type { Verdict } from '../../../client/walk-users.ts';
import type { ListQuery, User } from '../../../contract/wire.ts';
import { formatOf, say, show } from '../../show.ts';
import { whileWaiting } from '../../spinner.ts';
import type { Session } from '../../world.ts';
import { incompleteListing } from './incomplete-listing.ts';
import { extensionKeys, userList } from './show-user.ts';

/**
 * Prints every user that a filter lets through, page by page as they come; `filter` words it for people. Throws an
 * `IncompleteError` behind the last user when the list may not be the whole.
 */
export async function listAll(
  session: Session,
  client: Client,
  query: Omit<ListQuery, 'offset'>,
  filter: string,
): Promise<void> {
  const { walkUsers } = await import('../../../client/walk-users.ts');
  const walk = walkUsers(client, query);
  const hasFixedColumns = formatOf(session) === 'csv' && !session.options.columns;
  const keys = extensionKeys(hasFixedColumns ? await walk.ahead() : []);
  const lost = new Set<string>();

  async function* pages(): AsyncGenerator<User[]> {
    for await (const users of walk.pages) {
      if (hasFixedColumns) for (const key of extensionKeys(users)) if (!keys.has(key)) lost.add(key);
      yield users;
    }
  }

  const rest = () => {
    const { total, complete } = walk.verdict();
    return { total, offset: 0, limit: query.limit, complete };
  };
  const printed = show(session, userList(pages(), keys, rest));
  // On a terminal the users themselves are what moves.
  await (session.stdout.isTTY ? printed : whileWaiting(session, () => progressOf(walk.verdict()), printed));
  const verdict = walk.verdict();
  const left = verdict.repeats > 0 ? `; repeats left out: ${verdict.repeats}` : '';
  say(session, `${verdict.users} of ${verdict.total} users${filter}${left}`);
  if (!verdict.complete || lost.size > 0) throw incompleteListing(verdict, keys, lost);
}

function progressOf({ users, total }: Verdict): string {
  return users === 0 ? 'Listing users' : `${grouped(users)} of ${grouped(total)} users`;
}

/** `Intl` would do it too, and take longer to load than the rest of the program. */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
