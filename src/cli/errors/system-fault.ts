import { errorCode } from '../../text/error-code.ts';

const permission = 'Check its owner and permissions, or name another one.';
const path = 'Check the path, or name another one.';
const space = 'Free some space, then run the command again.';
const openFiles = 'Allow more open files (ulimit -n), or lower --concurrency, then run the command again.';

/** Reasons and remedies by the error code of the system, or of a database in a file. */
const faults: Readonly<Record<string, [reason: string, remedy: string]>> = {
  EACCES: ['permission denied', permission],
  EPERM: ['permission denied', permission],
  EROFS: ['the file system is read-only', 'Name one on another file system.'],
  ENOENT: ['it does not exist', path],
  ENOTDIR: ['a part of its path is not a directory', path],
  EISDIR: ['it is a directory', 'Name a file in it, or another one.'],
  EEXIST: ['something is already there', path],
  ELOOP: ['it is a link, which is not followed', path],
  ENAMETOOLONG: ['its name is too long', path],
  ENOSPC: ['no space is left on the disk', space],
  SQLITE_FULL: ['no space is left on the disk', space],
  // A file that cannot be written to itself is EACCES, when it is opened.
  SQLITE_READONLY: [
    'its directory cannot be written to, where SQLite keeps two more files (-wal, -shm) beside it',
    permission,
  ],
  EDQUOT: ['the disk quota is used up', space],
  EMFILE: ['this process has too many open files', openFiles],
  ENFILE: ['the system has too many open files', openFiles],
};

/** Describes a known error of the operating system for people; `undefined` for any other error. `path`: the file, if it names one. */
export function systemFaultOf(cause: unknown) {
  if (!(cause instanceof Error)) return undefined;
  const code = 'sqliteCodeName' in cause ? String(cause.sqliteCodeName) : errorCode(cause);
  const [reason, remedy] = faults[code ?? ''] ?? [];
  if (reason === undefined || remedy === undefined) return undefined;
  const named = 'path' in cause && typeof cause.path === 'string' ? cause.path : undefined;
  return { reason, remedy, path: named };
}

/** Why something failed, for people: the reason of the operating system, or the error's own message. */
export function reasonOf(cause: unknown): string {
  return systemFaultOf(cause)?.reason ?? (cause instanceof Error ? cause.message : String(cause));
}

/** What an error itself says about what to do; `undefined` if it says nothing. */
export function hintOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'hint' in cause && typeof cause.hint === 'string' ? cause.hint : undefined;
}
