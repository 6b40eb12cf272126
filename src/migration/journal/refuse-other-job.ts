import { useOtherDirectory } from '../directory/own-directory.ts';
import { JobDirectoryError } from '../model/errors.ts';
import { adviseRetarget, driftOf, type Job, type RunMode, targetDrift } from '../model/job.ts';
import type { JobFacts } from './database/job-facts.ts';
import { lookUpFirst } from './reading/open-job.ts';

/** Refuses another import as opening the journal does, but before a person has read what would be done, and agreed. */
export function refuseOtherImport(
  stored: (Pick<JobFacts, 'job'> & Pick<Partial<JobFacts>, 'purged'>) | undefined,
  job: Job,
  { jobDirectory: directory, mode }: { jobDirectory: string; mode?: RunMode | undefined },
): void {
  const isImport = stored?.job.kind === 'import' && job.kind === 'import' && stored.purged === undefined;
  if (isImport && mode !== 'restart') refuseOtherJob(stored, job, { directory, mode });
}

type StoredFacts = Pick<JobFacts, 'job'> & Pick<Partial<JobFacts>, 'command'>;

/** Throws a `JobDirectoryError` if a run is not of the job that its directory has. */
export function refuseOtherJob(
  stored: StoredFacts,
  job: Job,
  { directory, mode }: { directory: string; mode: RunMode | undefined },
): void {
  const drift = mode === 'only failed' ? targetDrift(stored.job, job) : driftOf(stored.job, job);
  if (drift.length === 0) return;
  const fault = `it holds the records of another import: ${drift.join('; ')}`;
  const retarget = adviseRetarget(directory, stored.job.target, job.target);
  throw new JobDirectoryError(directory, fault, retarget ?? afterDrift(directory, stored, job, mode));
}

/** Returns what to do if a run is not of the job of its directory. */
function afterDrift(directory: string, stored: StoredFacts, job: Job, mode: RunMode | undefined): string {
  if (job.kind === 'plan') return useOtherDirectory(directory);
  if (mode === 'only unanswered') return lookUpFirst(stored.command);
  const rest =
    targetDrift(stored.job, job).length > 0
      ? ''
      : ', or retry failed rows of a corrected file with --only failed';
  return `Name another directory with --job, start over with --restart${rest}.`;
}
