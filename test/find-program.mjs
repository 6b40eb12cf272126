import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian installs servers here, and not every account has this directory on its PATH. */
const ofServers = '/usr/sbin';

/**
 * Path of the first of these programs that is installed; `undefined` if none is, and then the tests that need it are
 * skipped.
 * @param {string[]} names
 */
export function findProgram(...names) {
  const places = [...(process.env.PATH ?? '').split(delimiter), ofServers];
  return names.flatMap((name) => places.map((place) => join(place, name))).find((path) => existsSync(path));
}
