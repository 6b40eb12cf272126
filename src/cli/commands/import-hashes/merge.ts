import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { CommandContext } from '../../context/context.ts';
import { version } from '../../context/version.ts';
import { UsageError } from '../../errors/errors.ts';
import { printImportSummary, requireDone } from '../../output/import-summary.ts';

/** tenant-users import-hashes merge */
export function addImportHashesMerge(parent: CommandUnknownOpts, session: CommandContext): void {
  parent
    .command('merge')
    .description('Join the books of all shares of one file')
    .argument('<directories...>', 'job directories of the shares')
    .addHelpText(
      'after',
      `
The shares must be of one file with one mapping and one tenant, and all of them must be there. Their
own books stay as they are. The exit code is that of one import of the whole file.

Example:
  $ tenant-users import-hashes merge share1 share2 share3 --job whole`,
    )
    .action(async (directories: string[]) => {
      // The option is that of the command above, which takes it wherever it stands.
      const { job } = parent.opts() as { job?: string };
      if (job === undefined) {
        throw new UsageError('no directory is named for the joined books', 'Name one with --job.');
      }
      const { mergeShards } = await import('../../../migration/merge-shards.ts');
      const summary = await mergeShards(directories, job, version, session.now);
      await printImportSummary(session, summary);
      requireDone(summary);
    });
}
