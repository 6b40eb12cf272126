import { existsSync } from 'node:fs';
import { pathIn } from './job-files.ts';

/** Says how to use another directory, as a sentence: only an import has `--job`, and a plan stays where it was made. */
export function useOtherDirectory(directory: string): string {
  return existsSync(pathIn(directory, 'plan.json'))
    ? 'Make the plan again in another directory (--to).'
    : 'Name another directory with --job.';
}
