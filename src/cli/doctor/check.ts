import { describeError } from '../errors/describe-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';

export type CheckStatus = 'ok' | 'warning' | 'failed' | 'skipped';

/** One thing that was looked at, in a sentence without secrets. */
export interface Check {
  name: string;
  status: CheckStatus;
  message: string;
  /** What to do next; empty where there is nothing to do. */
  hint: string;
}

/** A check, the exit code of its kind where it failed, and what `--fix` can do about it. */
export interface CheckResult extends Check {
  exitCode: number;
  fixes?: readonly Fix[];
}

/** What can be fixed without a loss: who may do what with a file, or a leftover of a process that was killed. */
export interface Fix {
  action: 'chmod 600' | 'chmod 700' | 'chmod go-w' | 'delete';
  path: string;
}

function checkOf(status: CheckStatus) {
  return (name: string, message: string, hint = ''): CheckResult => ({
    name,
    status,
    message,
    hint,
    exitCode: status === 'failed' ? exitCodes.configuration : exitCodes.done,
  });
}

export const fine = checkOf('ok');
export const warned = checkOf('warning');
export const skipped = checkOf('skipped');
/** Fails with exit code 3. */
export const faulty = checkOf('failed');

/** What is wrong with files of ours, and can be fixed. */
export function fixable(name: string, message: string, fixes: readonly Fix[]): CheckResult {
  const hint = fixes.length > 0 ? 'Run: tenant-users doctor --fix' : '';
  return { ...warned(name, message, hint), fixes };
}

/** A check that ended in a failure: with the words and the exit code that a command would end with. */
export function failedBy(name: string, failure: unknown): CheckResult {
  const { exitCode, message, hint } = describeError(failure);
  return { name, status: 'failed', message, hint, exitCode };
}
