import { statSync } from 'node:fs';
import { dirname } from 'node:path';

const readable = 0o077;
const writable = 0o022;
const sticky = 0o1000;

/**
 * What others than its owner may do with a file that holds secrets, and how to fix it: read the file, or put another
 * in its place. Nothing where there is no file, and on Windows, whose rights are no modes.
 */
export function loosePermissions(file: string): string[] {
  const mode = modeOf(file);
  if (mode === undefined || process.platform === 'win32') return [];
  const directory = dirname(file);
  const around = modeOf(directory) ?? 0;
  return [
    ...((mode & readable) === 0
      ? []
      : [`${file} is readable by other users; fix it with: chmod 600 ${file}`]),
    ...((around & writable) === 0 || (around & sticky) !== 0
      ? []
      : [`${directory} is writable by other users; fix it with: chmod 700 ${directory}`]),
  ];
}

/** A file's mode, such as `0600`; `undefined` where there is none. */
export function shownMode(file: string): string | undefined {
  const mode = modeOf(file);
  return mode === undefined ? undefined : (mode & 0o7777).toString(8).padStart(4, '0');
}

function modeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mode;
}
