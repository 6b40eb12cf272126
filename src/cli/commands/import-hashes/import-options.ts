import { type Command, Option } from '@commander-js/extra-typings';
import type { CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { addFileOptions } from '../../input/file-options.ts';
import { parseShard } from '../../input/option-parsers.ts';
import { runOptions } from '../../input/run-options.ts';
import { secretOption } from '../../input/secret-options.ts';

/** What the options of `import-hashes` say. */
export type ImportChoices = ReturnType<ReturnType<typeof addImportOptions>['opts']>;

/** Adds the options of `import-hashes` and its help. */
export function addImportOptions(command: Command<[string]>, context: CommandContext) {
  return addFileOptions(command)
    .addOption(secretOption('--key', 'an HMAC key', '--key-file or --key-stdin'))
    .optionsGroup('Checks:')
    .option('--dry-run', 'read and check the whole file, send nothing')
    .option('--live', 'with --dry-run: look up which users the tenant has')
    .addOption(new Option('--rehearse', 'import into a temporary tenant on this machine').conflicts('dryRun'))
    .option('--tenant <file>', 'tenant definition file for --rehearse')
    .addOption(runOptions.canary())
    .addOption(runOptions.ramp())
    .addOption(runOptions.allowPasswordless())
    .addOption(runOptions.foreignHashes())
    .addOption(runOptions.accept())
    .addOption(runOptions.maxFailures())
    .optionsGroup('Speed:')
    .addOption(runOptions.concurrency())
    .addOption(runOptions.rate())
    .addOption(runOptions.window(context))
    .option('--shard <I/N>', 'process shard I of N, for several machines', parseShard)
    .optionsGroup('Job:')
    .option('--job <directory>', 'for journal and reports (default: <file name>.import)')
    .option('--restart', 'archive the previous job and start over')
    .addOption(
      new Option('--only <what>', 'retry, or look up').choices(['failed', 'unanswered']).conflicts('restart'),
    )
    .addHelpText(
      'after',
      `

Check (--dry-run), rehearse, import: it asks first (--yes). Rerun to resume.
Example:
  $ tenant-users import-hashes legacy.csv --dry-run --live --map hash=pwd`,
    );
}

/** Throws a `UsageError` for options of `import-hashes` that contradict each other. */
export function refuseContradictions(
  { options: { local } }: CommandContext,
  { rehearse, tenant, dryRun, live }: Pick<ImportChoices, 'rehearse' | 'tenant' | 'dryRun' | 'live'>,
): void {
  if (live && !dryRun) throw new UsageError('--live requires --dry-run', 'Add --dry-run, or remove --live.');
  if (tenant !== undefined && !rehearse) {
    throw new UsageError('--tenant requires --rehearse', 'Add --rehearse, or remove --tenant.');
  }
  if (rehearse && local !== undefined) {
    throw new UsageError(
      '--rehearse and --local cannot be used together',
      'A rehearsal makes a temporary tenant of its own: remove one of them.',
    );
  }
}
