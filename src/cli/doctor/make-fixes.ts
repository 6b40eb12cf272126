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

/** A fix, and why it could not be made; `null`: it was. */
export interface MadeFix extends Fix {
  error: string | null;
}

/** Makes the fixes, each by itself: one that fails does not keep the others from being made. */
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
  // A lock is an empty directory: one with something in it is none, and stays.
  delete: (path) => (lstatSync(path).isDirectory() ? rmdirSync(path) : unlinkSync(path)),
};

/** Of the file that is there now, and not of one that a link leads to. */
function changeMode(path: string, modeOf: (mode: number) => number): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(file, modeOf(fstatSync(file).mode & 0o7777));
  } finally {
    closeSync(file);
  }
}
