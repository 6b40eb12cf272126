import { closeSync, existsSync, fsyncSync, lstatSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { archivedFileNames, archivedName, pathIn, recogniseFile } from '../directory/job-files.ts';
import { renameDurably, syncDirectory } from '../directory/replace-file.ts';
import type { JournalDatabase } from './database/database.ts';

/** Names of the lists and reports beside the journal. */
const resultFileNames = archivedFileNames.filter((name) => !recogniseFile(name)?.isOpened);

/** Returns the name of a list or report in a directory; `undefined` if it has none. */
export function resultIn(directory: string): string | undefined {
  return resultFileNames.find((name) => lstatSync(pathIn(directory, name), { throwIfNoEntry: false }));
}

/** Returns the name under which the journal of a directory would be archived now. */
export function nextArchive(directory: string): string {
  return archivedName('journal.db', freeNumber(directory));
}

/** Copies the journal of an open, locked database to the next free archive number. Returns the number. */
export function archiveCopy(directory: string, connection: JournalDatabase): number {
  const number = freeNumber(directory);
  const copy = join(directory, archivedName('journal.db', number));
  const file = openSync(copy, 'a', 0o600);
  try {
    connection.prepare('VACUUM INTO ?').run(copy);
    // SQLite does not flush a copy to disk.
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncDirectory(directory);
  return number;
}

/** Archives the lists and reports under a number, by default the next free one: nothing of a real import is deleted. */
export function archiveResults(directory: string, number = freeNumber(directory)): void {
  for (const name of resultFileNames) {
    const path = pathIn(directory, name);
    if (existsSync(path)) renameDurably(path, join(directory, archivedName(name, number)));
  }
}

/** Removes the lists and reports of a job that wrote nothing to a tenant. */
export function removeResults(directory: string): void {
  for (const name of resultFileNames) rmSync(pathIn(directory, name), { force: true });
}

/** True if the file is a list or report of the job, or of an earlier one. */
export function isResultFile(found: string): boolean {
  const known = recogniseFile(found);
  return known !== undefined && known.state !== 'draft' && resultFileNames.includes(known.name);
}

function freeNumber(directory: string): number {
  const isTaken = (number: number) =>
    archivedFileNames.some((name) => existsSync(join(directory, archivedName(name, number))));
  let number = 1;
  while (isTaken(number)) number += 1;
  return number;
}
