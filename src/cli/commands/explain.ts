import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context/context.ts';
import type { Entry } from '../errors/explain/explained.ts';
import { formatOf, printableLines, show, write } from '../output/show.ts';

/** tenant-users explain */
export function addExplain(parent: Command, context: CommandContext): void {
  parent
    .command('explain')
    .description('Explain error codes and exit codes, and what to do about them; offline')
    .argument('[code...]', 'error code, its last part or name, or an exit code (default: list all)')
    .addHelpText(
      'after',
      `
Examples:
  $ tenant-users explain SVC.TENANT.USER.0034
  $ tenant-users explain user.0034
  $ tenant-users explain exit 7 --json
  $ tenant-users explain                      list all codes`,
    )
    .action(async (words) => {
      if (words.length === 0) {
        const { allExplained } = await import('../errors/explain/explained.ts');
        return showAll(context, allExplained());
      }
      const { findExplained } = await import('../errors/explain/find-explained.ts');
      const { explained } = findExplained(words);
      if (formatOf(context) !== 'table') {
        const columns = Object.keys(explained);
        return show(context, { rows: [explained], columns, knownColumns: columns });
      }
      const { code, message, cause, remedy, retryable, operations, exit_code } = explained;
      const lines = [
        `${code}: ${message}`,
        '',
        `Cause:      ${cause}`,
        `Remedy:     ${remedy}`,
        `Retryable:  ${retryable ? 'yes, the same command may succeed later' : 'no'}`,
        ...(operations.length > 0 ? [`Operations: ${operations.join(', ')}`] : []),
        `Exit code:  ${exit_code}`,
      ];
      await write(context.stdout, `${printableLines(lines.join('\n'))}\n`);
    });
}

function showAll(context: CommandContext, entries: readonly Entry[]): Promise<void> {
  const codes = entries.map(({ group, explained: { code, message } }) => ({ group, code, message }));
  const columns = ['group', 'code', 'message'];
  return show(context, { rows: codes, list: { name: 'codes' }, columns, knownColumns: columns });
}
