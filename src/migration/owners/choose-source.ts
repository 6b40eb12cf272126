import { noTotal } from '../../client/calls.ts';
import { uniqueAttributes } from '../../contract/normal-forms.ts';
import { pageLimits } from '../../contract/operations.ts';
import { formatCount } from '../../text/format-count.ts';
import { incompleteListing } from '../model/errors.ts';
import type { Columns } from '../rows/columns.ts';
import { answerOf, type RunControl } from '../send/call-api.ts';
import { listOwners, type TenantReader } from './list-owners.ts';
import { createLookUps } from './owner-source.ts';

/**
 * Returns the number of users in the tenant, null if it does not send it, and whether listing them takes no more requests than
 * `lookUps` look-ups. `needed`: why only a listing will do. Without that number no listing counts as complete: rejects with a
 * `ListingError` if only one will do.
 */
export async function weighListing(
  reader: Pick<TenantReader, 'listUsers'>,
  control: RunControl,
  lookUps: number,
  needed?: string,
): Promise<{ users: number | null; isListing: boolean; reason: string }> {
  const first = { offset: 0, limit: pageLimits.min };
  const { total: users } = await answerOf(control, () => reader.listUsers(first));
  const others = `${formatCount(lookUps, 'request')} or more`;
  if (users === null) {
    if (needed === undefined)
      return { users, isListing: false, reason: `look-ups, since ${noTotal}: ${others}` };
    throw incompleteListing([noTotal], `Only a complete listing will do, since ${needed}. ${askForTotal}`);
  }
  const pages = Math.ceil(users / pageLimits.max) + 1;
  const listing = formatCount(pages, 'page');
  if (needed !== undefined || pages <= lookUps) {
    const why = needed ?? 'it is cheaper';
    const reason = `a complete listing, since ${why}: ${listing}; look-ups would take ${others}`;
    return { users, isListing: true, reason };
  }
  const reason = `look-ups, since they are cheaper: ${others}; a listing has ${listing}`;
  return { users, isListing: false, reason };
}

const askForTotal = 'Ask those who run the service why its lists have no total.';

/**
 * Opens the source that takes fewer requests: a listing of all users, or look-ups of the keys of each row. `needed`: why only a
 * listing will do, in words. `users`: how many the tenant has, by its own count; null if it does not send it.
 */
export async function chooseSource(
  reader: TenantReader,
  control: RunControl,
  { rows, columns, needed }: { rows: number; columns: Columns; needed?: string | undefined },
) {
  const keys = columns.known.filter(({ target }) => uniqueAttributes.some((name) => name === target)).length;
  const lookUps = rows * Math.max(keys, 1);
  const { users, isListing, reason } = await weighListing(reader, control, lookUps, needed);
  if (!isListing) return { source: createLookUps(reader, control), users, reason };
  const listing = await listOwners(reader, control);
  return { source: listing, listing, users, reason };
}
