import type { AddCommand } from '../../context/context.ts';
import { version } from '../../context/version.ts';
import { UsageError } from '../../errors/errors.ts';
import { recordRun } from '../../log/write-log.ts';
import { printImportSummary, requireDone } from '../../output/import-summary.ts';
import { warn } from '../../output/show.ts';

const help = `
All shards must be given and must belong to the same file, mapping and tenant. Their own directories
stay unchanged. The exit code is that of an import of the whole file.

Example:
  $ tenant-users import-hashes merge shard1 shard2 shard3 --job whole`;

export const addImportHashesMerge: AddCommand = (parent, context) => {
  parent
    .command('merge')
    .description('Merge the results of all shards of a file')
    .argument('<directories...>', 'job directories of the shards')
    // Parsed by the parent command, which accepts the option in any place; declared here for the help.
    .option('--job <directory>', 'directory for the merged results (required)')
    .addHelpText('after', help)
    .action(async (directories: string[]) => {
      const { job } = parent.opts() as { job?: string };
      if (job === undefined) {
        throw new UsageError('no directory given for the merged results', 'Specify one with --job.');
      }
      const { mergeShards } = await import('../../../migration/merge-shards.ts');
      const record = recordRun(context, { command: 'import-hashes merge', directory: job });
      const { summary, command } = await mergeShards(directories, job, version, context.now, record.begun);
      record.ended(summary);
      const { adviseNext } = await import('../../../migration/report/texts/advice.ts');
      const { noticesOf } = await import('../../../migration/report/texts/notices.ts');
      await printImportSummary(context, summary, adviseNext(summary, command), noticesOf(summary));
      const { undone_at: undone } = summary;
      if (undone)
        warn(
          context,
          `users of a shard were disabled by an undo at ${undone}: the whole job cannot be resumed, and plan --since takes these users for unchanged`,
        );
      requireDone(summary);
    });
};
