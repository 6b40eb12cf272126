import * as v from 'valibot';
import { described, text } from '../../contract/value-schemas.ts';
import { describeError } from '../errors/describe-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';

/** The result of a check, as a sentence without secrets. */
export const check = v.strictObject({
  name: text,
  status: v.picklist(['ok', 'warning', 'failed', 'skipped']),
  message: text,
  hint: described(text, 'what to do next; empty where there is nothing to do'),
});

export type Check = v.InferOutput<typeof check>;

/** A check with the exit code to use if it failed, and the fixes that `--fix` can make. */
export interface CheckResult extends Check {
  exitCode: number;
  fixes?: readonly Fix[];
}

/** A fix that loses nothing: it restricts permissions, or deletes a leftover of a killed process. */
export type Fix = { path: string } & (
  | { action: 'chmod 600' | 'chmod 700' | 'chmod go-w' }
  // Last change of what was examined, in epoch milliseconds: anything else in its place stays.
  | { action: 'delete'; changed: number }
);

function checkOf(status: Check['status']) {
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
/** A failed check with exit code 3. */
export const faulty = checkOf('failed');

/** A warning about the program's own files, with the fixes that `--fix` can make. */
export function fixable(name: string, message: string, fixes: readonly Fix[]): CheckResult {
  const hint = fixes.length > 0 ? 'Run: tenant-users doctor --fix' : '';
  return { ...warned(name, message, hint), fixes };
}

/** A failed check with the message and exit code that a command would end with for the same failure. */
export function failedBy(name: string, failure: unknown): CheckResult {
  const { exitCode, message, hint } = describeError(failure);
  return { name, status: 'failed', message, hint, exitCode };
}
