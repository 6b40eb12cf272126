import type { Command } from '@commander-js/extra-typings';
import { type ListQuery, pageLimits } from '../../../contract/wire.ts';
import { connect } from '../../connect.ts';
import { numberBetween, wholeNumber } from '../../parse.ts';
import { parseTimeOption } from '../../parse-time-option.ts';
import { say, show } from '../../show.ts';
import type { Session } from '../../world.ts';
import { userTable } from './show-user.ts';

/** tenant-users users list */
export function addUsersList(parent: Command, session: Session): void {
  parent
    .command('list')
    .description('List users, one page at a time, in the order of their creation')
    .option('--offset <page>', 'page to show, from 0', wholeNumber, 0)
    .option(
      '--limit <number>',
      'users per page, 10 to 100',
      numberBetween(pageLimits.min, pageLimits.max),
      20,
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
Examples:
  $ tenant-users list
  $ tenant-users list --offset 3 --limit 100 --json | jq '.users[].email'
  $ tenant-users list --updated-after 2026-11-01 -o csv --columns user_name,email,extension.age`,
    )
    .action(async ({ offset, limit, updatedAfter, updatedBefore }) => {
      const client = await connect(session);
      const query: ListQuery = {
        offset,
        limit,
        ...(updatedAfter === undefined ? {} : { updated_at_greater: updatedAfter }),
        ...(updatedBefore === undefined ? {} : { updated_at_less: updatedBefore }),
      };
      const { users, total } = await client.listUsers(query);
      await show(session, userTable(users, { total, offset, limit, complete: true }));
      const interval = [updatedAfter && `after ${updatedAfter}`, updatedBefore && `before ${updatedBefore}`];
      const filter = interval.filter(Boolean).join(' and ');
      say(
        session,
        `${users.length} of ${total} users${filter && ` updated ${filter} (time of the tenant's zone)`}`,
      );
    });
}
