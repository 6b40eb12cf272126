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
import { reasonOf } from '../errors/system-fault.ts';
import type { Fix } from './check.ts';

/** A fix, and why it could not be made; `null` if it was made. */
export interface MadeFix extends Fix {
  error: string | null;
}

/** Makes each fix independently: one that fails does not prevent the others. */
export function makeFixes(fixes: readonly Fix[]): MadeFix[] {
  return fixes.map((fix) => {
    try {
      make[fix.action](fix.path);
      return { ...fix, error: null };
    } catch (cause) {
      return { ...fix, error: reasonOf(cause) };
    }
  });
}

const make: Record<Fix['action'], (path: string) => void> = {
  'chmod 600': (path) => changeMode(path, () => 0o600),
  'chmod 700': (path) => changeMode(path, () => 0o700),
  'chmod go-w': (path) => changeMode(path, (mode) => mode & ~0o022),
  // A lock is an empty directory. One with content is not a lock, and cannot be deleted like this.
  delete: (path) => (lstatSync(path).isDirectory() ? rmdirSync(path) : unlinkSync(path)),
};

/** Changes the mode of the file itself, and fails for a link instead of following it. */
function changeMode(path: string, modeOf: (mode: number) => number): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(file, modeOf(fstatSync(file).mode & 0o7777));
  } finally {
    closeSync(file);
  }
}
