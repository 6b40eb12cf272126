import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file for its owner's eyes (0600) beside another and gives it the name of that one, so that there is always a
 * whole one. What stands in its place is never followed.
 */
export async function replaceFile(path: string, content: string | Iterable<string>): Promise<void> {
  const next = `${path}.new`;
  // A run that was killed may have left one.
  await rm(next, { force: true });
  await writeFile(next, content, { flag: 'wx', mode: 0o600 });
  await rename(next, path);
}
