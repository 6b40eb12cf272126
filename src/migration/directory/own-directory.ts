import { chmodSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JobDirectoryError } from '../model/errors.ts';
import { pathIn, recogniseFile } from './job-files.ts';

/**
 * Throws a `JobDirectoryError` for a directory that another account could use to read the records or to redirect them: it must
 * belong to this account, nobody else may write to it, and it may contain no link. `elsewhere`: how to use another one, as a sentence.
 */
export function requireOwnDirectory(directory: string, elsewhere = useOtherDirectory(directory)): void {
  const account = process.getuid?.();
  // Windows protects directories in other ways: one below the user's own belongs to nobody else.
  if (account === undefined) return;
  const isOwn = (uid: number) => uid === account;
  const refuse = (fault: string, remedy = elsewhere) => new JobDirectoryError(directory, fault, remedy);
  const { uid, mode } = statSync(directory);
  if (!isOwn(uid) || !isOwn(lstatSync(directory).uid))
    throw refuse('the directory belongs to another account');
  if ((mode & 0o022) !== 0) {
    throw refuse(
      'other accounts can write to the directory',
      `Remove that permission (chmod go-w), or use another one. ${elsewhere}`,
    );
  }
  for (const name of readdirSync(directory)) {
    const file = lstatSync(join(directory, name), { throwIfNoEntry: false });
    if (file?.isSymbolicLink()) throw refuse(`it contains the link ${name}, which may lead elsewhere`);
    const known = recogniseFile(name);
    if (!file || !known?.isOpened || known.state !== 'current') continue;
    if (!file.isFile()) throw refuse(`the job records cannot be written there: ${name} is not a file`);
    if (!isOwn(file.uid)) throw refuse(`its ${name} belongs to another account`);
    if ((file.mode & 0o077) !== 0) chmodSync(join(directory, name), 0o600);
  }
}

/**
 * Throws a `JobDirectoryError`, like `requireOwnDirectory`, for the directory of a job by whose records users are disabled: nobody else
 * may have written into them whom.
 */
export function requireOwnRecords(directory: string): void {
  requireOwnDirectory(
    directory,
    'If it belongs to somebody else, let that account run this. Whoever copies it instead must move the original away, which does not learn who is disabled.',
  );
}

/** Says how to use another directory, as a sentence: only an import has `--job`, and a plan stays where it was made. */
export function useOtherDirectory(directory: string): string {
  return existsSync(pathIn(directory, 'plan.json'))
    ? 'Make the plan again in another directory (--to).'
    : 'Name another directory with --job.';
}
