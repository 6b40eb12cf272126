import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isPostgres, isUnnamed } from './database-location.ts';

/** The path of a file by its real directory, without following a link in its own place; absolute if there is no directory. */
export function inRealDirectory(file: string): string {
  try {
    return join(realpathSync.native(dirname(file)), basename(file));
  } catch {
    return resolve(file);
  }
}

/** The one path of a file, whichever links and directories lead to it. `from`: where the path begins. */
export function realPath(path: string, from = ''): string {
  const file = resolve(from, path);
  try {
    return realpathSync.native(file);
  } catch {
    return inRealDirectory(file);
  }
}

/** The one name of a database: of a file its real path. `from`: where its path begins. */
export function realDatabase(location: string, from = ''): string {
  return isPostgres(location) || isUnnamed(location) ? location : realPath(location, from);
}
