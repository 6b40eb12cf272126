import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const debian = '/usr/lib/postgresql';

/**
 * The directory with PostgreSQL's `initdb` and `postgres`: of the PATH, or the newest where Debian puts them.
 * @returns {string | undefined}
 */
export function postgresBinaries() {
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newest = versions.sort((one, other) => Number(other) - Number(one));
  const places = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...newest.map((version) => join(debian, version, 'bin')),
  ];
  return places.find((place) => ['initdb', 'postgres'].every((name) => existsSync(join(place, name))));
}
