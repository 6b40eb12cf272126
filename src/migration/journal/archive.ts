import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalDatabase } from './database.ts';

/** The journal's file in the job directory. */
export const journalName = 'journal.db';

/** The lists and reports beside the journal. */
export const resultFileNames = ['summary.json', 'users.csv', 'failures.csv', 'report.html'] as const;

/** Copies the journal of an open, locked database to the next free number, which is returned. */
export function archiveCopy(directory: string, connection: JournalDatabase): number {
  const number = freeNumber(directory);
  const copy = join(directory, numbered(journalName, number));
  const file = openSync(copy, 'a', 0o600);
  try {
    connection.prepare('VACUUM INTO ?').run(copy);
    // SQLite does not do it for a copy.
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return number;
}

/** Archives the records under a number, by default the next free one: nothing of a real import is deleted. */
export function archiveResults(directory: string, number = freeNumber(directory)): void {
  for (const name of resultFileNames) {
    const path = join(directory, name);
    if (existsSync(path)) renameSync(path, join(directory, numbered(name, number)));
  }
}

/** Removes the records of a job that wrote nothing to a tenant. */
export function removeResults(directory: string): void {
  for (const name of resultFileNames) rmSync(join(directory, name), { force: true });
}

/** Is it a list or report of the job, or of one before? */
export function isResultFile(name: string): boolean {
  return (resultFileNames as readonly string[]).includes(unnumbered(name));
}

/** Is it the journal of a job before? */
export function isArchivedJournal(name: string): boolean {
  return name !== journalName && unnumbered(name) === journalName;
}

function freeNumber(directory: string): number {
  const isTaken = (number: number) =>
    [journalName, ...resultFileNames].some((name) => existsSync(join(directory, numbered(name, number))));
  let number = 1;
  while (isTaken(number)) number += 1;
  return number;
}

function numbered(name: string, number: number): string {
  return name.replace('.', `-${number}.`);
}

function unnumbered(name: string): string {
  return name.replace(/-\d+\./, '.');
}
