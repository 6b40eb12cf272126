import type { Verdict, WalkFault } from '../../../client/walk-users.ts';
import { IncompleteError } from '../../failures.ts';
import { allColumns } from './show-user.ts';

const words: { [Kind in WalkFault['kind']]: (fault: Extract<WalkFault, { kind: Kind }>) => string } = {
  noTotal: () => 'the service did not say how many users there are',
  shrank: ({ from, to }) =>
    `the total fell from ${from} to ${to} meanwhile, so users may have been passed over`,
  short: ({ offset, users, expected }) =>
    `page ${offset} had ${users} users where there should be ${expected}`,
  count: ({ users, total }) => `${users} different users came for a total of ${total}`,
};

/** Why a listing cannot be vouched for, and what to do. `lost` are extension keys that have no column in the CSV. */
export function incompleteListing(
  { faults }: Verdict,
  keys: ReadonlySet<string>,
  lost: ReadonlySet<string>,
): IncompleteError {
  const reasons = faults.map((fault) => (words[fault.kind] as (fault: WalkFault) => string)(fault));
  if (lost.size > 0) {
    reasons.push(`users on later pages have extension attributes without a column: ${[...lost].join(', ')}`);
  }
  const again = 'The users printed are right, others may be missing: list again when fewer changes are made.';
  const hints = [...(faults.length > 0 ? [again] : []), ...(lost.size > 0 ? [columnsHint(keys, lost)] : [])];
  return new IncompleteError(
    `the listing is not complete: ${reasons.join('; ')}`,
    hints.join('\n'),
    lost.size === 0,
  );
}

function columnsHint(keys: ReadonlySet<string>, lost: ReadonlySet<string>): string {
  const columns = allColumns([...keys, ...lost]);
  // A list of names has no way to write these.
  if (columns.some((column) => column !== column.trim() || column.includes(','))) {
    return 'List again with: -o jsonl';
  }
  const list = columns.join(',');
  return `List again with: --columns ${/^[\w.,-]+$/.test(list) ? list : `'${list.replaceAll("'", "'\\''")}'`}`;
}
