import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quotePath } from '../../text/shell-quote.ts';

/** False on Windows, where permissions are not modes, and Node.js reports the same mode for every file. */
export const hasModes = process.platform !== 'win32';

const readable = 0o077;
const writable = 0o022;
const sticky = 0o1000;

/**
 * What users other than its owner can do with a file that holds secrets, and how to fix it: read the file, or replace
 * it. Empty if there is no file, and on Windows, where permissions are not modes.
 */
export function loosePermissions(file: string): string[] {
  const mode = modeOf(file);
  if (mode === undefined || !hasModes) return [];
  const directory = dirname(file);
  const around = modeOf(directory) ?? 0;
  return [
    ...((mode & readable) === 0
      ? []
      : [`${file} is readable by other users; fix it with: chmod 600 ${quotePath(file)}`]),
    ...((around & writable) === 0 || (around & sticky) !== 0
      ? []
      : [`${directory} is writable by other users; fix it with: chmod 700 ${quotePath(directory)}`]),
  ];
}

/** A file's mode, such as `0600`; `undefined` if there is no file, or on Windows. */
export function shownMode(file: string): string | undefined {
  const mode = modeOf(file);
  return mode === undefined || !hasModes ? undefined : (mode & 0o7777).toString(8).padStart(4, '0');
}

/** `undefined` also for a file that cannot be looked at: whoever reads it says why. */
function modeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.mode;
  } catch {
    return undefined;
  }
}
