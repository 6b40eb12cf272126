import { type Command, Option } from '@commander-js/extra-typings';
import type { Client } from '../../../client/client.ts';
import type { Completeness } from '../../../client/list-all-users.ts';
import { pageLimits } from '../../../contract/operations.ts';
import { parseTime } from '../../../contract/time.ts';
import type { ListQuery } from '../../../contract/wire.ts';
import { formatCount } from '../../../text/format-count.ts';
import { quoteWord } from '../../../text/shell-quote.ts';
import { connect } from '../../connection/connect.ts';
import type { CommandContext } from '../../context/context.ts';
import { IncompleteError, UsageError } from '../../errors/errors.ts';
import { parseNumberBetween, parseTimeOption, parseWholeNumber } from '../../input/option-parsers.ts';
import { formatOf, say, show } from '../../output/show.ts';
import { whileWaiting } from '../../output/spinner.ts';
import { allColumns, extensionKeys, shownUser, userList } from './show-user.ts';

const pageSize = { one: 20, all: pageLimits.max } as const;

/** tenant-users users list */
export function addUsersList(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .description('List users in the order of their creation, one page or all')
    .addOption(new Option('--all', 'list every user').conflicts('offset'))
    .option('--offset <page>', 'page to show, counted from 0 (default: 0)', parseWholeNumber)
    .option(
      '--limit <number>',
      `users per page, ${pageLimits.min} to ${pageLimits.max} (default: ${pageSize.one}, with --all ${pageSize.all})`,
      parseNumberBetween(pageLimits.min, pageLimits.max),
    )
    .option(
      '--updated-after <time>',
      'only users updated after this time of the tenant, yyyy-MM-dd [HH:mm:ss]',
      parseTimeOption,
    )
    .option('--updated-before <time>', 'only users updated before this time', parseTimeOption)
    .option('--safe', "with -o csv, for spreadsheets: put ' before values that look like formulas")
    .addHelpText(
      'after',
      `
With --all, users are printed as they arrive, so memory use does not grow with their number. The
exit code is 10 if changes during the listing may have hidden users: then "complete" is false, and
stderr says why.

Examples:
  $ tenant-users list
  $ tenant-users list --offset 3 --limit 100 --json | jq '.users[].email'
  $ tenant-users list --updated-after 2026-11-01 -o csv --columns user_name,email,extension.age
  $ tenant-users list --all -o csv --safe > for-a-spreadsheet.csv
  $ tenant-users list --all -o jsonl > users.jsonl`,
    )
    .action(async ({ all, offset = 0, limit, updatedAfter, updatedBefore, safe = false }) => {
      if (safe && formatOf(context) !== 'csv') throw new UsageError('--safe requires -o csv');
      const filter = describeFilter(updatedAfter, updatedBefore);
      const query = {
        limit: limit ?? (all ? pageSize.all : pageSize.one),
        ...(updatedAfter === undefined ? {} : { updated_at_greater: updatedAfter }),
        ...(updatedBefore === undefined ? {} : { updated_at_less: updatedBefore }),
      };
      const client = await connect(context);
      if (all) return listAll(context, client, query, { filter, isForSpreadsheets: safe });
      const asked = client.listUsers({ ...query, offset });
      const { users, total } = await whileWaiting(context, 'Listing users', asked);
      const rest = () => ({ total, offset, limit: query.limit, complete: true });
      const list = userList(users.map(shownUser), extensionKeys(users), rest);
      await show(context, { ...list, isForSpreadsheets: safe });
      const isLast = (offset + 1) * query.limit >= total;
      const next = isLast ? '' : `; for the next page add --offset ${offset + 1}, for everybody --all`;
      say(context, `${users.length} of ${total} users${filter}${next}`);
    });
}

/** The interval in words; throws where no time lies in it. */
function describeFilter(after: string | undefined, before: string | undefined): string {
  // Both ends are outside, and times have whole seconds.
  const from = (parseTime(after ?? '') ?? Number.NEGATIVE_INFINITY) + 2000;
  if (from > (parseTime(before ?? '') ?? Number.POSITIVE_INFINITY)) {
    throw new UsageError(
      `there is no time between --updated-after ${after} and --updated-before ${before}`,
      'Both limits are exclusive: --updated-before must be at least two seconds later.',
    );
  }
  const ends = [after && `after ${after}`, before && `before ${before}`].filter(Boolean);
  return ends.length === 0 ? '' : ` updated ${ends.join(' and ')} (in the tenant's time zone)`;
}

/**
 * Prints every user that a filter lets through, page by page as they come; `filter` words it for people. Throws an
 * `IncompleteError` behind the last user when the list may not be the whole.
 */
async function listAll(
  context: CommandContext,
  client: Client,
  query: Omit<ListQuery, 'offset'>,
  { filter, isForSpreadsheets }: { filter: string; isForSpreadsheets: boolean },
): Promise<void> {
  const { describeListingFaults, listAllUsers } = await import('../../../client/list-all-users.ts');
  const walk = listAllUsers(client, query);
  const hasFixedColumns = formatOf(context) === 'csv' && !context.options.columns;
  const keys = extensionKeys(hasFixedColumns ? await walk.ahead() : []);
  const lost = new Set<string>();

  async function* pages(): AsyncGenerator<object[]> {
    for await (const users of walk.pages) {
      if (hasFixedColumns) for (const key of extensionKeys(users)) if (!keys.has(key)) lost.add(key);
      yield users.map(shownUser);
    }
  }

  const rest = () => {
    const { total, complete } = walk.verdict();
    return { total, offset: 0, limit: query.limit, complete };
  };
  const printed = show(context, { ...userList(pages(), keys, rest), isForSpreadsheets });
  // On a terminal the users themselves are what moves.
  await (context.stdout.isTTY ? printed : whileWaiting(context, () => progressOf(walk.verdict()), printed));
  const verdict = walk.verdict();
  const left = verdict.duplicates > 0 ? `; duplicates skipped: ${verdict.duplicates}` : '';
  say(context, `${verdict.users} of ${verdict.total} users${filter}${left}`);
  if (!verdict.complete || lost.size > 0)
    throw incompleteListing(describeListingFaults(verdict.faults), keys, lost);
}

function progressOf({ users, total }: Completeness): string {
  return users === 0 ? 'Listing users' : `${formatCount(users)} of ${formatCount(total)} users`;
}

/** Why a listing cannot be vouched for, and what to do. `lost` are extension keys that have no column in the CSV. */
function incompleteListing(
  found: readonly string[],
  keys: ReadonlySet<string>,
  lost: ReadonlySet<string>,
): IncompleteError {
  const reasons = [...found];
  if (lost.size > 0) {
    reasons.push(`users on later pages have extension attributes without a column: ${[...lost].join(', ')}`);
  }
  const again =
    'The users printed are correct, but others may be missing: list again when fewer changes are made.';
  const hints = [...(found.length > 0 ? [again] : []), ...(lost.size > 0 ? [columnsHint(keys, lost)] : [])];
  return new IncompleteError(
    `the listing is incomplete: ${reasons.join('; ')}`,
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
  return `List again with: --columns ${quoteWord(columns.join(','))}`;
}
