import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian puts servers, which is not on the PATH of everybody. */
const ofServers = '/usr/sbin';

/**
 * Path of the first of these programs that is installed; `undefined` where none is, and what needs it is skipped.
 * @param {string[]} names
 */
export function findProgram(...names) {
  const places = [...(process.env.PATH ?? '').split(delimiter), ofServers];
  return names.flatMap((name) => places.map((place) => join(place, name))).find((path) => existsSync(path));
}
