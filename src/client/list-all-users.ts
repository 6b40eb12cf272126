import { pageLimits } from '../contract/operations.ts';
import type { ListQuery, User } from '../contract/wire.ts';
import { type ListedPage, noTotal } from './calls.ts';
import type { Client } from './client.ts';
import { NetworkError } from './errors.ts';
import { createSeenIds } from './seen-ids.ts';

/** Why a listing may be incomplete; `text` says it to people. */
interface ListingFault {
  kind: 'noTotal' | 'shrank' | 'short' | 'duplicates' | 'count';
  text: string;
}

/** Returns why a page may lack users, by its total: `noTotal` or `short`; `undefined` if it is complete. */
export function faultOfPage(
  { users, total }: ListedPage,
  { offset, limit }: Pick<ListQuery, 'offset' | 'limit'>,
): ListingFault | undefined {
  if (total === null) return { kind: 'noTotal', text: noTotal };
  const expected = Math.min(limit, Math.max(0, total - offset * limit));
  if (users.length >= expected) return undefined;
  return { kind: 'short', text: `page ${offset} had ${users.length} users instead of ${expected}` };
}

/** Maximum number of pages in memory: requested, waiting, and the one being read. */
export const pagesAhead = 6;

/** Pages in a row without a new user that end a listing: more than users who come or go meanwhile cause. */
const mostStale = 10;

/**
 * Lists all users of live data, requesting at most a few pages ahead of the reader. The last page is requested only after all
 * others have arrived, so that its total decides; if that total is higher, the listing continues. If a page is longer than the
 * client takes, because of pictures, the rest is listed in shorter pages.
 */
export function listAllUsers(client: Pick<Client, 'listUsers'>, query: Omit<ListQuery, 'offset'>) {
  let { limit } = query;
  const held: Promise<ListedPage>[] = [];
  const isNew = createSeenIds();
  const faults = new Map<ListingFault['kind'], string>();
  const counts = { users: 0, duplicates: 0 };
  let asked = 0;
  let unanswered = 0;
  let total = Number.POSITIVE_INFINITY;
  let most = 0;
  let isOver = false;
  let hasEnded = false;
  let stale = 0;

  function ask(): void {
    const offset = asked;
    const before = most;
    asked += 1;
    unanswered += 1;
    const answer = client.listUsers({ ...query, limit, offset }).finally(() => {
      unanswered -= 1;
    });
    const noted = answer.then((page) => note(page, offset, before));
    // The reader gets the error when it reaches the page.
    noted.catch(() => {});
    held.push(noted);
  }

  /** Checks a page. `before`: the greatest total known when the page was requested. */
  function note(page: ListedPage, offset: number, before: number): ListedPage {
    const came = page.users.length;
    const found = faultOfPage(page, { offset, limit });
    if (page.total === null) {
      // The listing continues as long as pages are full.
      total = came < limit ? offset * limit + came : Number.POSITIVE_INFINITY;
    } else {
      total = page.total;
      most = Math.max(most, total);
      if (total < before) {
        const text = `the total fell from ${before} to ${total} during the listing, so users may have been skipped`;
        fault({ kind: 'shrank', text });
      }
    }
    if (found) fault(found);
    return page;
  }

  function fault({ kind, text }: ListingFault): void {
    if (!faults.has(kind)) faults.set(kind, text);
  }

  function fill(): void {
    while (!isOver && held.length < pagesAhead && asked * limit < total) {
      const mayBeLast = (asked + 1) * limit >= total || total === Number.POSITIVE_INFINITY;
      if (mayBeLast && unanswered > 0) return;
      ask();
    }
  }

  function fresh(page: ListedPage): User[] {
    const users = page.users.filter(({ user_id }) => isNew(String(user_id)));
    counts.users += users.length;
    counts.duplicates += page.users.length - users.length;
    return users;
  }

  /** Goes on with shorter pages of which the first begins like the one that failed; throws the failure if that cannot help. */
  async function shorten(failure: unknown): Promise<void> {
    const shorter = shorterLimit(limit);
    const isTooLong = failure instanceof NetworkError && failure.fault === 'tooLong';
    if (!isTooLong || shorter === undefined) throw failure;
    const read = asked - held.length;
    await Promise.allSettled(held.splice(0));
    asked = (read * limit) / shorter;
    limit = shorter;
  }

  async function* readPages(): AsyncGenerator<User[]> {
    for (;;) {
      fill();
      const next = held[0];
      if (!next) break;
      let page: ListedPage;
      try {
        page = await next;
      } catch (failure) {
        await shorten(failure);
        continue;
      }
      const users = fresh(page);
      const isEmpty = page.users.length === 0;
      stale = isEmpty || users.length > 0 ? 0 : stale + 1;
      if (stale === mostStale) {
        fault({ kind: 'duplicates', text: `${stale} pages in a row had only users of earlier pages` });
      }
      // Whatever the total says: a cache or a gateway may answer every request with the same page.
      isOver ||= isEmpty || stale === mostStale;
      fill();
      yield users;
      held.shift();
    }
    if (!faults.has('noTotal') && counts.users !== total) {
      const text = `${counts.users} different users were received, but the total is ${total}`;
      fault({ kind: 'count', text });
    }
    hasEnded = true;
  }

  return {
    /** New users page by page, in order; can be read once. If a page fails, rejects with its error after the pages before it. */
    pages: readPages(),
    /** Returns the users of the pages that fit in memory, before `pages` is read. Never rejects. */
    async firstPages(): Promise<User[]> {
      for (let known = -1; known < asked; ) {
        known = asked;
        fill();
        await Promise.allSettled(held);
      }
      const pages = await Promise.allSettled(held);
      return pages.flatMap((page) => (page.status === 'fulfilled' ? page.value.users : []));
    },
    /** Whether the listing is complete. Before its end, the counts cover the users returned so far. */
    completeness: () => ({
      /** `users`: number of different users returned; `duplicates`: users that were repeated on a later page, and left out. */
      ...counts,
      /** `total` of the last answer. */
      total: Number.isFinite(total) ? total : counts.users,
      /** True if the listing has ended without a fault: every user of the last answer's total was returned once. */
      complete: hasEnded && faults.size === 0,
      /** The first fault of each kind, in words. */
      faults: [...faults.values()],
    }),
  };
}

/** The shortest pages into which pages of `limit` users can be divided; `undefined` if there are none. */
function shorterLimit(limit: number): number | undefined {
  for (let shorter: number = pageLimits.min; shorter < limit; shorter += 1) {
    if (limit % shorter === 0) return shorter;
  }
  return undefined;
}
