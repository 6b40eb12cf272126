import { formatCount } from '../../../text/format-count.ts';
import type { AddCommand } from '../../context/context.ts';
import { say, show } from '../../output/show.ts';

const help = `
Plans of the same file are compared row by row, plans of different files by their totals.

Example:
  $ tenant-users plan diff monday.plan friday.plan`;

export const addPlanDiff: AddCommand = (parent, context) => {
  parent
    .command('diff')
    .description('Show what changed between two plans')
    .argument('<before>', 'plan directory')
    .argument('<after>', 'plan directory')
    .addHelpText('after', help)
    .action(async (before: string, after: string) => {
      const { comparePlans } = await import('../../../migration/plan/document/compare-plans.ts');
      const { totals, isSameFile, changes } = await comparePlans(before, after);
      let changed = 0;
      async function* counted() {
        for await (const page of changes) {
          changed += page.length;
          yield page;
        }
      }
      await show(context, {
        rows: counted(),
        list: { name: 'changes', rest: () => ({ same_file: isSameFile, totals }) },
        columns: ['row', 'user_id', 'before', 'after'],
      });
      const words = Object.entries(totals).flatMap(([kind, { before: was, after: is }]) =>
        was === is ? [] : [`${kind} ${formatCount(was)} → ${formatCount(is)}`],
      );
      say(context, words.length > 0 ? `Totals: ${words.join(', ')}` : 'The totals are the same');
      say(
        context,
        isSameFile
          ? `${formatCount(changed, 'action')} changed`
          : 'The plans are of different files, so their rows were not compared',
      );
    });
};
