import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

interface JobFile {
  /** Identifies people, or helps to do so; deleted with the personal data of the job. */
  isPersonal?: true;
  /** Other accounts may read it. */
  isForOthers?: true;
  /** Archived under a number when the job starts over or its file was corrected. */
  isArchived?: true;
  /** Opened by its name and changed in place, never replaced as a whole. */
  isOpened?: true;
}

/** Every file in the directory of a job, a plan or a comparison. An undo is a plan. */
const files = {
  'journal.db': { isArchived: true, isOpened: true },
  'journal.db-count': { isOpened: true },
  // Rollback journal of the changes outside the write-ahead log: the first, the last, and those of an archived journal.
  'journal.db-journal': { isArchived: true, isOpened: true },
  'journal.db-wal': { isOpened: true },
  'journal.db-shm': { isOpened: true },
  'running.json': { isOpened: true },
  'running.lock': { isOpened: true },
  'summary.json': { isArchived: true },
  'users.csv': { isPersonal: true, isArchived: true },
  'failures.csv': { isPersonal: true, isArchived: true },
  'report.html': { isPersonal: true, isArchived: true },
  'plan.json': {},
  'plan.html': { isPersonal: true },
  'plan.key': { isPersonal: true },
  'actions.jsonl': { isPersonal: true },
  'vanished.csv': { isPersonal: true },
  'plan.sig': { isForOthers: true },
  'same.csv': { isPersonal: true },
  'differs.csv': { isPersonal: true },
  'missing.csv': { isPersonal: true },
  'extra.csv': { isPersonal: true },
  'ambiguous.csv': { isPersonal: true },
  'invalid.csv': { isPersonal: true },
  'cutover.lock': { isOpened: true },
  'cutover.json': { isForOthers: true },
  'evidence.jsonl': { isForOthers: true },
} as const satisfies Record<string, JobFile>;

export type JobFileName = keyof typeof files;

export interface FoundFile extends JobFile {
  name: JobFileName;
  /** `archived`: of an earlier job, or of the file before it was corrected; `draft`: left by a process that was killed. */
  state: 'current' | 'archived' | 'draft';
}

export const jobFileNames = Object.keys(files) as JobFileName[];

/** The files that are archived under a number: the journal, its lists and reports. */
export const archivedFileNames = jobFileNames.filter(isArchived);

/** The directory of the job of a file, unless --job names another one. */
export function usualDirectory(file: string): string {
  return `${basename(file)}.import`;
}

/** The directories of jobs that have the usual name for this file: beside it, and here. Each may be of another file of that name. */
export function jobsBeside(file: string): string[] {
  const usual = usualDirectory(file);
  const beside = join(dirname(file), usual);
  const directories = resolve(beside) === resolve(usual) ? [usual] : [beside, usual];
  return directories.filter((job) => existsSync(pathIn(job, 'journal.db')));
}

export function pathIn(directory: string, name: JobFileName): string {
  return join(directory, name);
}

/** The name under which the file of an earlier job is kept. */
export function archivedName(name: JobFileName, number: number): string {
  return name.replace('.', `-${number}.`);
}

/** The path under which a file is written until it is complete. */
export function draftOf(path: string): string {
  return `${path}.new`;
}

/** The same under a name that no other process uses. */
export function uniqueDraftOf(path: string): string {
  return draftOf(`${path}.${randomBytes(4).toString('hex')}`);
}

/** What SQLite and we append to the name of a draft. */
const draftEnd = /(?:\.[0-9a-f]{8})?\.new(?:-wal|-shm|-journal)?$/;

/** Recognizes a file by its name; `undefined` for any other. Archived files and drafts may name people, so they are personal. */
export function recogniseFile(found: string): FoundFile | undefined {
  if (isJobFile(found)) return { ...files[found], name: found, state: 'current' };
  const unnumbered = found.replace(/-\d+\./, '.');
  if (isJobFile(unnumbered) && isArchived(unnumbered))
    return { ...files[unnumbered], name: unnumbered, state: 'archived', isPersonal: true };
  const complete = found.replace(draftEnd, '');
  if (isJobFile(complete)) return { ...files[complete], name: complete, state: 'draft', isPersonal: true };
  return undefined;
}

/** True if the path is that of a file in the directory of a job or a plan, which has one of these. */
export function isOfJob(path: string): boolean {
  const directory = dirname(path);
  const isOurs = recogniseFile(basename(path)) !== undefined;
  return isOurs && [pathIn(directory, 'journal.db'), pathIn(directory, 'actions.jsonl')].some(existsSync);
}

function isJobFile(name: string): name is JobFileName {
  return Object.hasOwn(files, name);
}

function isArchived(name: JobFileName): boolean {
  return 'isArchived' in files[name];
}
