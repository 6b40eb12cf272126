import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { usualDirectory } from '../../../migration/directory/job-files.ts';
import { type Job, targetDrift } from '../../../migration/model/job.ts';
import type { EarlierRun } from '../../../migration/records/read-earlier-run.ts';
import { quoteWord } from '../../../text/shell-quote.ts';
import type { CommandContext } from '../../context/context.ts';
import { say } from '../../output/show.ts';
import type { ImportKind } from './interruption.ts';

/** What the directory of an import depends on. `given`: the one that --job names; `target`: the tenant of a real import. */
interface Wanted extends Pick<Job, 'target' | 'shard'> {
  given: string | undefined;
  kind: ImportKind;
  isRestart: boolean;
}

/**
 * Chooses the job directory. A dry run or a rehearsal does not use that of an import, unless --job names it. `afterTrial`: options
 * that the real import needs then.
 */
export async function chooseJobDirectory(
  context: CommandContext,
  file: string,
  { given, kind, ...now }: Wanted,
): Promise<{ jobDirectory: string; afterTrial: readonly string[] }> {
  const usual = usualDirectory(file);
  if (given !== undefined || kind === 'import') return { jobDirectory: given ?? usual, afterTrial: [] };
  const earlier = await earlierRun(usual);
  if (earlier?.job.kind !== 'import') return { jobDirectory: usual, afterTrial: [] };
  const own = `${basename(file)}.${kind}`;
  const what = kind.replace('-', ' ');
  const undone =
    earlier.undone === undefined ? '' : ` whose users were disabled by an undo at ${earlier.undone}`;
  say(context, `${usual} holds the records of an import${undone}; those of this ${what} go to ${own}`);
  return { jobDirectory: own, afterTrial: optionsBeside(usual, earlier, now) };
}

async function earlierRun(directory: string): Promise<EarlierRun | undefined> {
  const { readEarlierRun } = await import('../../../migration/records/read-earlier-run.ts');
  return readEarlierRun(directory);
}

/** True for the directory of an import, which knows users of its tenant. */
export async function holdsImport(directory: string): Promise<boolean> {
  return (await earlierRun(directory))?.job.kind === 'import';
}

/**
 * Options with which an import beside the records of an earlier one is not refused. It goes on with the job if it can: the file may
 * have been corrected since. A job that was undone is started over, as is one if the trial was asked to.
 */
function optionsBeside(
  usual: string,
  { job, purged, undone }: EarlierRun,
  { isRestart, ...now }: Omit<Wanted, 'given' | 'kind'>,
) {
  // The users of another tenant would be in an archived journal, which no command reads.
  if (purged === undefined && targetDrift(job, { ...job, ...now }).length === 0)
    return isRestart || undone !== undefined ? ['--restart'] : ['--only', 'failed'];
  let number = 2;
  while (existsSync(`${usual}-${number}`)) number += 1;
  return ['--job', quoteWord(`${usual}-${number}`)];
}
