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
import { reasonOf } from '../errors/errors.ts';
import type { Fix } from './check.ts';

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
