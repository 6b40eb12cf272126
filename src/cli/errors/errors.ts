import { CodedError } from '../../contract/coded-error.ts';
import type { JsonIssue } from '../../service/json/issue.ts';
import { errorCode } from '../../text/error-code.ts';
import type { OwnCode } from './error-table.ts';

/** Wrong usage of a command, or an invalid file given to it: exit code 2. */
export class UsageError extends CodedError {
  readonly details: readonly JsonIssue[] | undefined;

  constructor(message: string, hint = '', details?: readonly JsonIssue[]) {
    super('USAGE', message, hint);
    this.details = details;
  }
}

/** A profile, the configuration file or the environment is invalid: exit code 3. */
export class ConfigurationError extends CodedError {
  constructor(message: string, hint = '') {
    super('CONFIGURATION', message, hint);
  }
}

/** The file of `--output-file` cannot be written. */
export class ResultFileError extends ConfigurationError {}

/** A signal, or Ctrl-C at a prompt, ended the command. `unanswered`: advice on a change that was sent and got no answer. */
export class InterruptedError extends CodedError<OwnCode> {
  readonly mayHaveChanged: boolean;

  constructor(unanswered: string | undefined) {
    const what = unanswered === undefined ? '' : ': its change may have been made';
    super('INTERRUPTED', `the command was interrupted${what}`, unanswered);
    this.mayHaveChanged = unanswered !== undefined;
  }
}

/** A failure with better advice than the general one about its code. `retryable`: `false` if the same command must not be given again. */
export class AdvisedError extends Error {
  override readonly name = 'AdvisedError';
  readonly advice: string;
  readonly retryable: false | undefined;

  constructor(cause: unknown, advice: string, retryable?: false) {
    super('see the cause', { cause });
    this.advice = advice;
    this.retryable = retryable;
  }
}

/** The service answered, but not with what the command needs: exit code 6. */
export class RefusedError extends CodedError<OwnCode> {
  /** What `explain` says more about than about the code: one or two hash mistakes, joined by `+`. */
  readonly explained: string | undefined;

  constructor(code: OwnCode, message: string, hint = '', explained?: string) {
    super(code, message, hint);
    this.explained = explained;
  }
}

/** The printed result already shows what failed; only the exit code remains to be set. */
export class ReportedError extends Error {
  override readonly name = 'ReportedError';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('the command did not do all that was asked for');
    this.exitCode = exitCode;
  }
}

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
  const [reason, remedy] = faults[errorCode(cause) ?? ''] ?? [];
  if (reason === undefined || remedy === undefined) return undefined;
  const named = 'path' in cause && typeof cause.path === 'string' ? cause.path : undefined;
  return { reason, remedy, path: named };
}

/** Why something failed, for people: the reason of the operating system, or the error's own message. */
export function reasonOf(cause: unknown): string {
  return systemFaultOf(cause)?.reason ?? (cause instanceof Error ? cause.message : String(cause));
}

/** What an error itself says about what to do, or the remedy if no other file would do better; `undefined` if it says nothing. */
export function hintOf(cause: unknown): string | undefined {
  if (cause instanceof Error && 'hint' in cause && typeof cause.hint === 'string') return cause.hint;
  const remedy = systemFaultOf(cause)?.remedy;
  return remedy === space || remedy === openFiles ? remedy : undefined;
}
