import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ChangingKind } from '../../../migration/actions/reasons.ts';
import { pathIn } from '../../../migration/directory/job-files.ts';
import type { Plan } from '../../../migration/plan/document/plan-schemas.ts';
import { realPath } from '../../../text/locations/real-path.ts';

/**
 * Finds the directory for a command on a file: that of an interrupted run, which is resumed, or one that is free if the file was
 * carried out before. Further runs have a number behind the name. A run whose rows were all sent, but which has some without an
 * answer, is resumed only with the same file. `only`: what the command does. Throws a `PlanError` for a plan that was changed.
 */
export async function findRunDirectory(file: string, only: ChangingKind, name: string) {
  const [{ readEarlierRun }, { digestFile }, { pendingPlan }, { findHeld }] = await Promise.all([
    import('../../../migration/records/read-earlier-run.ts'),
    import('../../../migration/model/digests.ts'),
    import('../../../migration/plan/document/plan-document.ts'),
    import('../../../migration/plan/write-plan.ts'),
  ]);
  let digest: Promise<string> | undefined;
  const isSameContent = async (other: string) => {
    if (!existsSync(file)) return false;
    digest ??= digestFile(file);
    return other === (await digest);
  };
  const numbered = directoriesOf(name);
  const number = await latestNumber(numbered, only, async ({ path, digest: content }) =>
    // A file can be moved before its interrupted run goes on.
    existsSync(path)
      ? realPath(path) === realPath(file)
      : resolve(path) === resolve(file) || isSameContent(content),
  );
  const isFree = (directory: string) => {
    const plan = pendingPlan(directory);
    return !findHeld(directory, { file: { path: resolve(file) } }) && (!plan || plan.options.only === only);
  };
  let next = number + 1;
  // A directory with this number can be of another job, or hold a plan that somebody may still apply.
  while (!isFree(numbered(next))) next += 1;
  const free = { directory: numbered(next), isBegun: false };
  if (number === 0) return free;
  const last = { directory: numbered(number), isBegun: true };
  const earlier = await readEarlierRun(last.directory);
  if (!earlier) return last;
  if ((earlier.completed ?? earlier.purged ?? earlier.undone) !== undefined) return free;
  return earlier.unsent > 0 || (await isSameContent(earlier.job.source)) ? last : free;
}

/** Returns the function from the number of a run to its directory. A name such as `run/` or `.` has its number behind the last word. */
function directoriesOf(name: string): (number: number) => string {
  const last = basename(name);
  const plain = last === '.' || last === '..' ? resolve(name) : join(dirname(name), last);
  return (number) => (number === 1 ? plain : `${plain}-${number}`);
}

/**
 * Returns the number of the latest run; 0 if there is none. The number of a directory that was deleted is not used again: the latest
 * run has the highest number. A directory counts only if its plan is of the same command on the same file: files in several
 * directories can have one name, and names such as `leavers-20261126` may be of another job.
 */
async function latestNumber(
  numbered: (number: number) => string,
  only: ChangingKind,
  isSameFile: (file: Plan['file']) => Promise<boolean>,
): Promise<number> {
  const { readPlan } = await import('../../../migration/plan/document/plan-document.ts');
  const [parent, own] = [dirname(numbered(1)), basename(numbered(1))];
  const further = existsSync(parent) ? readdirSync(parent).flatMap((found) => numberOf(found, own)) : [];
  for (const number of [...further.sort((a, b) => b - a), 1]) {
    const directory = numbered(number);
    if ((['journal.db', 'plan.json'] as const).some((name) => !existsSync(pathIn(directory, name)))) continue;
    const { options, file } = readPlan(directory);
    if (options.only === only && (await isSameFile(file))) return number;
  }
  return 0;
}

/** Returns the number behind a name. Whether upper and lower case differ is left to the file system. */
function numberOf(found: string, own: string): number[] {
  if (!found.toLowerCase().startsWith(`${own}-`.toLowerCase())) return [];
  const number = found.slice(own.length + 1);
  return /^[1-9]\d{0,8}$/.test(number) && number !== '1' ? [Number(number)] : [];
}
