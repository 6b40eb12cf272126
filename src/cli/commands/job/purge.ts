import { formatCount } from '../../../text/format-count.ts';
import { quotePath } from '../../../text/shell-quote.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { version } from '../../context/version.ts';
import { requireYes } from '../../input/prompts.ts';
import { readText } from '../../input/read-input.ts';
import { say, showRecord, warn } from '../../output/show.ts';
import { whileWaiting } from '../../output/spinner.ts';

const help = `
Packs and verifies the evidence first (evidence.jsonl). Then it deletes users.csv, failures.csv,
report.html, those of earlier jobs, what a plan says about people, and every row of the journal. What
stays identifies nobody: the key of its fingerprints is deleted too (to keep one, run evidence first).
Afterwards the job cannot be resumed, compared or undone, and plan --since does not accept it: as long
as new files come, keep the latest job or plan. Delete the file that was imported, lists of other
commands, and copies elsewhere, yourself.

Example:
  $ tenant-users job purge legacy.csv.import`;

export const addJobPurge: AddCommand = (parent, context) => {
  parent
    .command('purge')
    .description('Delete the personal data of a job, and keep the evidence of what it did')
    .argument('<directory>', 'job directory, or plan directory of an applied plan')
    .option('--sign <key>', 'sign the evidence with this private Ed25519 key in PEM form')
    .addHelpText('after', help)
    .action(async (directory, { sign }) => {
      const { readJobStatus } = await import('../../../migration/records/job-status.ts');
      const { purgeJob } = await import('../../../migration/evidence/purge-job.ts');
      const privatePem = sign === undefined ? undefined : await readText(context, sign);
      const { status } = await readJobStatus(directory, context.now);
      const left = status.kind === 'dry-run' ? 0 : status.pending + status.unknown;
      const question = `Delete the personal data of ${directory}? It cannot be resumed, compared, undone or named with plan --since after.`;
      const were = left === 1 ? 'was not sent, or has' : 'were not sent, or have';
      const toKnow = left > 0 ? `${formatCount(left, 'row')} ${were} no answer yet` : '';
      await requireYes(context, question, 'nothing was deleted', toKnow && `${toKnow}.\n`);
      if (toKnow && context.options.yes) warn(context, toKnow);
      const { signal, now } = context;
      const purging = purgeJob(directory, { privatePem, version, signal, now });
      const purged = await untilInterrupted(context, whileWaiting(context, 'Packing the evidence', purging));
      await showRecord(context, purged, ['rows', 'deleted', 'evidence', 'digest']);
      if (purged.left.length > 0)
        warn(
          context,
          `not deleted, since the job did not write them: ${purged.left.join(', ')}. Delete yourself what names people, such as a list of cutover --dormant, a comparison, or the key of evidence`,
        );
      if (purged.beside.length > 0)
        say(
          context,
          `Not deleted: ${purged.beside.join(', ')}, beside the directory. Delete yourself what names people`,
        );
      say(context, `Next:\n  tenant-users evidence verify ${quotePath(purged.evidence)}`);
    });
};

/** Waits for a purge. Says at a signal what was deleted: nothing before the evidence was verified, and everything after. */
async function untilInterrupted<Value>(context: CommandContext, purging: Promise<Value>): Promise<Value> {
  const { signal, secondSignal } = context;
  const again = 'Run the same command again.';
  context.handlesSignals = true;
  secondSignal?.addEventListener('abort', () => say(context, `Ended at once, perhaps half-way. ${again}`));
  try {
    return await purging;
  } catch (failure) {
    if (signal.aborted && failure === signal.reason)
      say(context, `Interrupted: nothing was deleted. ${again}`);
    throw failure;
  }
}
