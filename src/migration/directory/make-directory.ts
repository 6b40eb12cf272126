import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../../text/error-code.ts';

/**
 * Makes a directory that only its owner can use, and those above it; returns false if it is there. With `recursive`, Node 20 never
 * ends if the system says of a directory that a part of its path is missing, but has that part: so do /proc and some automounts.
 */
export function makeDirectory(directory: string): boolean {
  try {
    return make(directory);
  } catch (failure) {
    const above = dirname(directory);
    if (errorCode(failure) !== 'ENOENT' || above === directory) throw failure;
    makeDirectory(above);
    return make(directory);
  }
}

function make(directory: string): boolean {
  try {
    mkdirSync(directory, { mode: 0o700 });
    return true;
  } catch (failure) {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return false;
    throw failure;
  }
}
