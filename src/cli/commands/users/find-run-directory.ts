import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ChangingKind } from '../../../migration/actions/reasons.ts';
import { pathIn } from '../../../migration/directory/job-files.ts';

/**
 * Finds the directory for a command on a file: that of an interrupted run, which is resumed, or one that is free if the file was
 * carried out before. Further runs have a number behind the name; one that changed nobody is deleted, and its directory is free. A run
 * whose rows were all sent, but which has some without an answer, is resumed only with the same file. `only`: what the command does.
 * Throws a `PlanError` for a plan that was changed.
 */
export async function findRunDirectory(
  file: string,
  only: ChangingKind,
  name: string,
  now: () => number,
): Promise<{ directory: string; isBegun: boolean }> {
  const [{ readEarlierRun }, { digestFile }, { clearIdleRun }] = await Promise.all([
    import('../../../migration/records/read-earlier-run.ts'),
    import('../../../migration/model/digests.ts'),
    import('../../../migration/evidence/clear-idle-run.ts'),
  ]);
  const numbered = directoriesOf(name);
  const number = await latestNumber(numbered, file, only);
  let next = number + 1;
  // A directory with this number can be of another job.
  while (hasJournal(numbered(next))) next += 1;
  const free = { directory: numbered(next), isBegun: false };
  if (number === 0) return free;
  const last = { directory: numbered(number), isBegun: true };
  const earlier = await readEarlierRun(last.directory);
  if (!earlier) return last;
  if ((earlier.purged ?? earlier.undone) !== undefined) return free;
  if (earlier.completed !== undefined)
    return (await clearIdleRun(last.directory, now)) ? { ...last, isBegun: false } : free;
  if (earlier.unsent > 0) return last;
  return existsSync(file) && earlier.job.source === (await digestFile(file)) ? last : free;
}

/** Returns the function from the number of a run to its directory. A name such as `run/` or `.` has its number behind the last word. */
function directoriesOf(name: string): (number: number) => string {
  const last = basename(name);
  const plain = last === '.' || last === '..' ? resolve(name) : join(dirname(name), last);
  return (number) => (number === 1 ? plain : `${plain}-${number}`);
}

const hasJournal = (directory: string) => existsSync(pathIn(directory, 'journal.db'));

/**
 * Returns the number of the latest run; 0 if there is none. The number of a directory that was deleted is not used again: the latest
 * run has the highest number. A directory with a number counts only if its plan is of the same command on the same file: names such
 * as `leavers-20261126` may be of another job.
 */
async function latestNumber(
  numbered: (number: number) => string,
  file: string,
  only: ChangingKind,
): Promise<number> {
  const { readPlan } = await import('../../../migration/plan/plan-document.ts');
  const [parent, own] = [dirname(numbered(1)), basename(numbered(1))];
  const isOfRun = (directory: string) => {
    if (!hasJournal(directory) || !existsSync(pathIn(directory, 'plan.json'))) return false;
    const plan = readPlan(directory);
    return plan.options.only === only && realPath(plan.file.path) === realPath(file);
  };
  const numbers = existsSync(parent) ? readdirSync(parent).flatMap((found) => numberOf(found, own)) : [];
  const latest = numbers.sort((a, b) => b - a).find((number) => isOfRun(numbered(number)));
  return latest ?? (hasJournal(numbered(1)) ? 1 : 0);
}

/** Returns the number behind a name. Whether upper and lower case differ is left to the file system. */
function numberOf(found: string, own: string): number[] {
  if (!found.toLowerCase().startsWith(`${own}-`.toLowerCase())) return [];
  const number = found.slice(own.length + 1);
  return /^[1-9]\d{0,8}$/.test(number) && number !== '1' ? [Number(number)] : [];
}

/** The path as the file system writes it, which may differ in case. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : resolve(path);
}
