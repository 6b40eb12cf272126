import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import * as v from 'valibot';
import { described, text, textOrNull } from '../../contract/value-schemas.ts';
import { describeError } from '../errors/describe-error.ts';
import { reasonOf } from '../errors/errors.ts';
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

/** A fix, and why it could not be made; `null` if it was made. */
export const made = v.strictObject({
  action: v.picklist(['chmod 600', 'chmod 700', 'chmod go-w', 'delete']),
  path: text,
  error: described(textOrNull, 'why it was not done; null: it was'),
});

export type MadeFix = v.InferOutput<typeof made>;

/** Makes each fix independently: one that fails does not prevent the others. */
export function makeFixes(fixes: readonly Fix[]): MadeFix[] {
  return fixes.map((fix) => {
    const { action, path } = fix;
    try {
      if (fix.action === 'delete') deleteLeftover(path, fix.changed);
      else changeMode(path, modes[fix.action]);
      return { action, path, error: null };
    } catch (cause) {
      return { action, path, error: reasonOf(cause) };
    }
  });
}

const modes = {
  'chmod 600': () => 0o600,
  'chmod 700': () => 0o700,
  'chmod go-w': (mode: number) => mode & ~0o022,
};

/** Deletes a leftover, unless another process has put something in its place since it was examined. */
function deleteLeftover(path: string, changed: number): void {
  const found = lstatSync(path);
  if (found.mtimeMs !== changed) throw new Error('it was changed meanwhile');
  // A lock is an empty directory. One with content is not a lock, and cannot be deleted like this.
  if (found.isDirectory()) rmdirSync(path);
  else unlinkSync(path);
}

/** Changes the mode of the file itself, and fails for a link instead of following it. */
function changeMode(path: string, modeOf: (mode: number) => number): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(file, modeOf(fstatSync(file).mode & 0o7777));
  } finally {
    closeSync(file);
  }
}
