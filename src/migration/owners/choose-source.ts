import { uniqueAttributes } from '../../contract/normal-forms.ts';
import { pageLimits } from '../../contract/operations.ts';
import { formatCount } from '../../text/format-count.ts';
import type { Columns } from '../rows/columns.ts';
import type { RunControl } from '../send/call-api.ts';
import { answerOf, listOwners, type TenantReader } from './list-owners.ts';
import { createLookUps } from './look-up-owners.ts';
import type { ListedOwners, OwnerSource } from './owner-source.ts';

/** Where the owners come from, and why from there. */
export interface ChosenSource {
  source: OwnerSource;
  /** Where the source is a complete listing. */
  listing?: ListedOwners;
  /** Users of the tenant, as it counts them. */
  users: number;
  reason: string;
}

/**
 * Asks the tenant in the cheaper way: page by page about everybody, or key by key about each row. Who is not in the file
 * can be known of a listing only (`needsListing`).
 */
export async function chooseSource(
  reader: TenantReader,
  control: RunControl,
  { rows, columns, needsListing }: { rows: number; columns: Columns; needsListing: boolean },
  onUsers?: (users: number, total: number) => void,
): Promise<ChosenSource> {
  const first = { offset: 0, limit: pageLimits.min };
  const { total: users } = await answerOf(control, () => reader.listUsers(first));
  const keys = columns.known.filter(({ target }) => uniqueAttributes.some((name) => name === target)).length;
  const lookUps = rows * Math.max(keys, 1);
  const pages = Math.ceil(users / pageLimits.max) + 1;
  const counts = `${formatCount(pages, 'page')}; look-ups would take ${formatCount(lookUps, 'request')} or more`;
  if (needsListing || pages <= lookUps) {
    const why = needsListing ? 'users who are not in the file count' : 'it is cheaper';
    const listing = await listOwners(reader, control, onUsers);
    return { source: listing, listing, users, reason: `a complete listing, since ${why}: ${counts}` };
  }
  const reason = `look-ups, since they are cheaper: ${formatCount(lookUps, 'request')} or more; a listing has ${formatCount(pages, 'page')}`;
  return { source: createLookUps(reader, control), users, reason };
}
