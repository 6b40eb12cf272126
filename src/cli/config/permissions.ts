import { accessSync, constants, type Stats, statSync } from 'node:fs';
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
  if (statOf(file) === undefined || !hasModes) return [];
  const directory = dirname(file);
  const around = statOf(directory)?.mode ?? 0;
  const loose = looseFile(file);
  if ((around & writable) !== 0 && (around & sticky) === 0)
    loose.push(`${directory} is writable by other users; fix it with: chmod 700 ${quotePath(directory)}`);
  return loose;
}

/**
 * The same of a database, which is in a directory that people choose: in many systems their group can write to it. Empty if it cannot be
 * used: whoever opens it says why.
 */
export function looseDatabase(file: string): string[] {
  return statOf(file)?.isFile() && [file, dirname(file)].every(canWrite) ? looseFile(file) : [];
}

function looseFile(file: string): string[] {
  const mode = statOf(file)?.mode ?? 0;
  if (!hasModes || (mode & readable) === 0) return [];
  return [`${file} is readable by other users; fix it with: chmod 600 ${quotePath(file)}`];
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A file's mode, such as `0600`; `undefined` if there is no file, or on Windows. */
export function shownMode(file: string): string | undefined {
  const mode = statOf(file)?.mode;
  return mode === undefined || !hasModes ? undefined : (mode & 0o7777).toString(8).padStart(4, '0');
}

/** `undefined` if there is no such file, or if its path cannot be read: whoever opens it says why. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
