import { Option } from '@commander-js/extra-typings';
import type { Client } from '../../../client/client.ts';
import { pageLimits } from '../../../contract/operations.ts';
import { parseTime } from '../../../contract/time.ts';
import type { ListQuery, User } from '../../../contract/wire.ts';
import type { ProgressStep } from '../../../migration/model/progress-step.ts';
import { formatCount } from '../../../text/format-count.ts';
import { connect } from '../../connection/connect.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { parseNumberBetween, parseTimeOption, parseWholeNumber } from '../../input/option-parsers.ts';
import { formatOf, isBrief, say, sayBesideIds, show } from '../../output/show.ts';
import { pagesWhileWaiting, whileWaiting } from '../../output/spinner.ts';
import {
  firstOf,
  type Order,
  parseCondition,
  parseOrder,
  parseSearch,
  sortUsers,
  type UserFilter,
} from './selection/select-users.ts';
import { extensionKeys, listingError, shownUser, userList } from './show-user.ts';

const pageSize = { one: 20, all: pageLimits.max } as const;

const help = `
With --all, users are printed as they arrive, so memory use does not grow with their number. The
exit code is 10 if users may be missing, from a page or because of changes during the listing: then
"complete" is false, and stderr says why.

--search, --where and --sort read every user too, since the API finds users by whole keys only; all
conditions must be met. An absent value is empty: --where email= finds who has none. "read" and
"matches" in JSON say how many users were read, and how many match.

Examples:
  $ tenant-users list
  $ tenant-users list --offset 3 --limit 100 --json | jq '.users[].email'
  $ tenant-users list --search ann
  $ tenant-users list --where disabled=true --where email~@example.com --sort=-usr_last_login
  $ tenant-users list --updated-after 2026-11-01 -o csv --columns user_name,email,extension.age
  $ tenant-users list --all -o csv --safe > for-a-spreadsheet.csv
  $ tenant-users list --all -o jsonl > users.jsonl`;

export const addUsersList: AddCommand = (parent, context) => {
  parent
    .command('list')
    .description('List users in the order of their creation, one page or all')
    .optionsGroup('Which users:')
    .addOption(new Option('--all', 'list every user').conflicts('offset'))
    .addOption(
      new Option('--search <text>', 'only users with this text in a name, an address, a number or an id')
        .conflicts('offset')
        .argParser(parseSearch),
    )
    .addOption(
      new Option(
        '--where <condition>',
        'only users with FIELD=VALUE, FIELD!=VALUE or FIELD~TEXT (repeatable)',
      )
        .conflicts('offset')
        .argParser(parseCondition),
    )
    .option(
      '--updated-after <time>',
      'only users updated after this time of the tenant, yyyy-MM-dd [HH:mm:ss]',
      parseTimeOption,
    )
    .option('--updated-before <time>', 'only users updated before this time', parseTimeOption)
    .optionsGroup('Order and pages:')
    .addOption(
      new Option('--sort <field>', 'in the order of a field, or of -FIELD in reverse')
        .conflicts('offset')
        .argParser(parseOrder),
    )
    .option('--offset <page>', 'page to show, counted from 0 (default: 0)', parseWholeNumber)
    .option(
      '--limit <number>',
      `users per page, ${pageLimits.min} to ${pageLimits.max} (default: ${pageSize.one}, with --all ${pageSize.all}); with --search, --where or --sort alone, the most users to print`,
      parseNumberBetween(pageLimits.min, pageLimits.max),
    )
    .optionsGroup('Output:')
    .option('--safe', "with -o csv, for spreadsheets: put ' before values that look like formulas")
    .addHelpText('after', help)
    .action(async ({ all, limit, updatedAfter, updatedBefore, safe = false, ...options }) => {
      if (safe && formatOf(context) !== 'csv') throw new UsageError('--safe requires -o csv');
      const filter = describeFilter(updatedAfter, updatedBefore);
      const { search, where = [], sort, offset = 0 } = options;
      const conditions = search ? [search, ...where] : where;
      const isWhole = all === true || conditions.length > 0 || sort !== undefined;
      const isPage = !isWhole || all === true;
      const query = {
        limit: (isPage ? limit : undefined) ?? (isWhole ? pageSize.all : pageSize.one),
        ...(updatedAfter === undefined ? {} : { updated_at_greater: updatedAfter }),
        ...(updatedBefore === undefined ? {} : { updated_at_less: updatedBefore }),
      };
      const client = await connect(context);
      if (isWhole) {
        const selection = {
          filter,
          isForSpreadsheets: safe,
          conditions,
          sort,
          most: (isPage ? undefined : limit) ?? Number.POSITIVE_INFINITY,
        };
        return listAll(context, client, query, selection).catch((failure: unknown) => {
          if (context.signal.aborted && !context.resultFile)
            say(context, 'Interrupted: the list is not complete');
          throw failure;
        });
      }
      const asked = client.listUsers({ ...query, offset });
      const page = await whileWaiting(context, 'Listing users', asked);
      const { faultOfPage } = await import('../../../client/list-all-users.ts');
      const fault = faultOfPage(page, { ...query, offset });
      const { users } = page;
      const total = page.total ?? offset * query.limit + users.length;
      const rest = () => ({ total, offset, limit: query.limit, complete: fault === undefined });
      // As pages, a result does not count as whole: --output-file stays as it was.
      const rows = fault ? shownPages([users]) : users.map(shownUser);
      const list = userList(rows, extensionKeys(users), rest);
      await show(context, { ...list, isForSpreadsheets: safe });
      const isLast = (offset + 1) * query.limit >= total;
      const next = isLast ? '' : `; for the next page use --offset ${offset + 1}, for everybody --all`;
      const shown = `${formatCount(users.length)} of ${formatCount(total, 'user')}${filter}${next}`;
      say(context, shown);
      // A list of ids that nobody asked to be cut is taken for all of them.
      if (isBrief(context) && !isLast && limit === undefined && options.offset === undefined)
        sayBesideIds(context, shown);
      if (fault) throw listingError([fault.text]);
    });
};

async function* shownPages(pages: Iterable<User[]> | AsyncIterable<User[]>): AsyncGenerator<object[]> {
  for await (const users of pages) yield users.map(shownUser);
}

/** Describes the time interval. Throws a `UsageError` if no time lies in it. */
function describeFilter(after: string | undefined, before: string | undefined): string {
  // Both limits are exclusive, and times are whole seconds.
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

/** Which users of a complete listing are printed, and how. */
interface Selection {
  /** The time interval in words. */
  filter: string;
  isForSpreadsheets: boolean;
  /** Conditions that must all be met. */
  conditions: readonly UserFilter[];
  sort: Order | undefined;
  /** Number of users that are printed at most. */
  most: number;
}

/**
 * Reads every user, and prints the selected ones page by page as they arrive. Throws a `ListingError` after the
 * last user if the list may be incomplete.
 */
async function listAll(
  context: CommandContext,
  client: Client,
  query: Omit<ListQuery, 'offset'>,
  { filter, isForSpreadsheets, conditions, sort, most }: Selection,
): Promise<void> {
  const { listAllUsers } = await import('../../../client/list-all-users.ts');
  const listing = listAllUsers(client, query);
  const isSelective = conditions.length > 0;
  const format = formatOf(context);
  const hasFixedColumns = format === 'csv' && !context.options.columns;
  const keys = extensionKeys(hasFixedColumns && !sort ? await listing.firstPages() : []);
  const lost = new Set<string>();
  let matches = 0;

  async function* selectedUsers(): AsyncGenerator<User[]> {
    // The first page of a table decides on its column widths, and so should have some users.
    let least = isSelective ? (format === 'table' ? pageSize.one : 1) : 0;
    let held: User[] = [];
    for await (const users of listing.pages) {
      const met = users.filter((user) => conditions.every((isMet) => isMet(user)));
      const found = sort ? met : met.slice(0, Math.max(0, most - matches));
      matches += met.length;
      // With --sort, all users are read before the first is printed, so all keys are known in time.
      for (const key of hasFixedColumns ? extensionKeys(found) : [])
        if (sort) keys.add(key);
        else if (!keys.has(key)) lost.add(key);
      held.push(...found);
      if (held.length < least) continue;
      yield held;
      held = [];
      least = Math.min(least, 1);
    }
    if (held.length > 0 || matches === 0) yield held;
  }

  const progress = (): ProgressStep => {
    const { users: done, total } = listing.completeness();
    if (done === 0) return { what: 'Listing users' };
    return isSelective ? { what: 'users read', done, total, matches } : { what: 'users', done, total };
  };

  const rest = () => {
    const { total, users, complete } = listing.completeness();
    return {
      total,
      ...(isSelective ? { read: users, matches } : {}),
      offset: 0,
      limit: Math.min(most, query.limit),
      complete,
    };
  };
  const print = (rows: AsyncIterable<object[]>) =>
    show(context, { ...userList(rows, keys, rest), isForSpreadsheets });
  const selected = selectedUsers();
  const users = sort
    ? firstOf(await whileWaiting(context, progress, sortUsers(selected, sort)), most)
    : selected;
  const rows = shownPages(users);
  // On a terminal, the printed users themselves show progress, unless few of them match.
  if (!context.stdout.isTTY || context.options.progress) await whileWaiting(context, progress, print(rows));
  else await print(isSelective ? pagesWhileWaiting(context, progress, rows) : rows);
  const end = listing.completeness();
  const left = end.duplicates > 0 ? `; duplicates skipped: ${end.duplicates}` : '';
  const read = isSelective
    ? `${formatCount(end.users, 'user')}${filter} read, ${formatCount(matches)} match`
    : `${formatCount(end.users)} of ${formatCount(end.total, 'user')}${filter}`;
  const first = matches > most ? `; the first ${most} are printed` : '';
  say(context, read + first + left);
  if (!end.complete || lost.size > 0) throw listingError(end.faults, keys, lost);
}
