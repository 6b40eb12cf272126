import type { AddCommand, CommandContext } from '../context/context.ts';
import type { Explained } from '../errors/explain/explained-document.ts';
import { linesFor, show, wantsFields, write } from '../output/show.ts';

const help = `
Examples:
  $ tenant-users explain SVC.TENANT.USER.0034
  $ tenant-users explain user.0034
  $ tenant-users explain exit 7 --json
  $ tenant-users explain USER.0034 HASH_SHAPE
  $ tenant-users explain                      list all codes`;

export const addExplain: AddCommand = (parent, context) => {
  parent
    .command('explain')
    .description('Explain error codes and exit codes, and what to do about them; offline')
    .argument('[code...]', 'error code, its last part or name, or an exit code (default: list all)')
    .addHelpText('after', help)
    .action(async (words) => {
      const { allExplained, findEveryExplained } = await import('../errors/explain/explained.ts');
      if (words.length === 0) {
        const rows = allExplained();
        return show(context, { rows, list: { name: 'codes' }, columns: ['group', 'code', 'message'] });
      }
      const all = findEveryExplained(words);
      if (wantsFields(context)) {
        const list = all.length > 1 ? { list: { name: 'codes' } } : {};
        return show(context, { rows: all, columns: Object.keys(all[0] ?? {}), ...list });
      }
      await write(context.stdout, all.map((one) => inWords(context, one)).join('\n'));
    });
};

const label = 12;

function inWords(context: CommandContext, explained: Explained): string {
  const { code, message, cause, remedy, retryable, operations, exit_code } = explained;
  const fields = Object.entries({
    Cause: cause,
    Remedy: remedy,
    Retryable: retryable ? 'yes, the same command may succeed later' : 'no',
    Operations: operations.join(', '),
    'Exit code': String(exit_code),
  }).filter(([, value]) => value !== '');
  const lines = fields.map(([name, value]) => `${name}:`.padEnd(label) + value).join('\n');
  const head = linesFor(context, `${code}: ${message}`, 'stdout');
  return `${head}\n\n${linesFor(context, lines, 'stdout', label)}\n`;
}
