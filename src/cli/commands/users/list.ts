import { type Command, Option } from '@commander-js/extra-typings';
import { parseTime } from '../../../contract/time.ts';
import { pageLimits } from '../../../contract/wire.ts';
import { connect } from '../../connect.ts';
import { UsageError } from '../../failures.ts';
import { numberBetween, wholeNumber } from '../../parse.ts';
import { parseTimeOption } from '../../parse-time-option.ts';
import { say, show } from '../../show.ts';
import { whileWaiting } from '../../spinner.ts';
import type { Session } from '../../world.ts';
import { listAll } from './list-all.ts';
import { extensionKeys, userList } from './show-user.ts';

const pageSize = { one: 20, all: pageLimits.max } as const;

/** tenant-users users list */
export function addUsersList(parent: Command, session: Session): void {
  parent
    .command('list')
    .description('List users, one page or all of them, in the order of their creation')
    .addOption(new Option('--all', 'every user, page after page').conflicts('offset'))
    .option('--offset <page>', 'page to show, from 0 (default: 0)', wholeNumber)
    .option(
      '--limit <number>',
      `users per page, ${pageLimits.min} to ${pageLimits.max} (default: ${pageSize.one}, with --all ${pageSize.all})`,
      numberBetween(pageLimits.min, pageLimits.max),
    )
    .option(
      '--updated-after <time>',
      "changed after, yyyy-MM-dd [HH:mm:ss] in the tenant's zone",
      parseTimeOption,
    )
    .option('--updated-before <time>', 'changed before, likewise', parseTimeOption)
    .addHelpText(
      'after',
      `
With --all, users are printed as they come, and memory stays flat however many there are. The exit
code is 0 only if every user of the last total came; 10 if users were changed meanwhile in such a
way that some may be missing: "complete" is false then, and stderr says why.

Examples:
  $ tenant-users list
  $ tenant-users list --offset 3 --limit 100 --json | jq '.users[].email'
  $ tenant-users list --updated-after 2026-11-01 -o csv --columns user_name,email,extension.age
  $ tenant-users list --all -o jsonl > users.jsonl`,
    )
    .action(async ({ all, offset = 0, limit, updatedAfter, updatedBefore }) => {
      const filter = describeFilter(updatedAfter, updatedBefore);
      const query = {
        limit: limit ?? (all ? pageSize.all : pageSize.one),
        ...(updatedAfter === undefined ? {} : { updated_at_greater: updatedAfter }),
        ...(updatedBefore === undefined ? {} : { updated_at_less: updatedBefore }),
      };
      const client = await connect(session);
      if (all) return listAll(session, client, query, filter);
      const asked = client.listUsers({ ...query, offset });
      const { users, total } = await whileWaiting(session, 'Listing users', asked);
      const rest = () => ({ total, offset, limit: query.limit, complete: true });
      await show(session, userList([users], extensionKeys(users), rest));
      say(session, `${users.length} of ${total} users${filter}`);
    });
}

/** The interval in words; throws where no time lies in it. */
function describeFilter(after: string | undefined, before: string | undefined): string {
  // Both ends are outside, and times have whole seconds.
  const from = (parseTime(after ?? '') ?? Number.NEGATIVE_INFINITY) + 2000;
  if (from > (parseTime(before ?? '') ?? Number.POSITIVE_INFINITY)) {
    throw new UsageError(
      `no time lies between --updated-after ${after} and --updated-before ${before}`,
      'Both ends are outside the interval: --updated-before must be at least two seconds later.',
    );
  }
  const ends = [after && `after ${after}`, before && `before ${before}`].filter(Boolean);
  return ends.length === 0 ? '' : ` updated ${ends.join(' and ')} (time of the tenant's zone)`;
}
