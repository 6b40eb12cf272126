import { join } from 'node:path';

/** What writes files into the directory of a job, a plan or a comparison. An undo is a plan. */
export type FileWriter = 'run' | 'plan' | 'signature' | 'comparison' | 'cut-over' | 'purge';

interface JobFile {
  by: readonly FileWriter[];
  /** Says who people are, or helps to find out: deleted with the personal data of the job. */
  isPersonal?: true;
  /** May be seen by other accounts. */
  isForOthers?: true;
  /** Kept under a number when the job starts over or its file was corrected. */
  isArchived?: true;
  /** Opened by its name, and never replaced whole. */
  isOpened?: true;
}

/** Every file of these directories. */
const files = {
  'journal.db': { by: ['run'], isArchived: true, isOpened: true },
  'journal.db-count': { by: ['run'], isOpened: true },
  // Of what is written outside the log: the first and the last change, and an archived journal.
  'journal.db-journal': { by: ['run'], isArchived: true, isOpened: true },
  'journal.db-wal': { by: ['run'], isOpened: true },
  'journal.db-shm': { by: ['run'], isOpened: true },
  'running.json': { by: ['run'], isOpened: true },
  'running.lock': { by: ['run'], isOpened: true },
  'summary.json': { by: ['run', 'comparison'], isArchived: true },
  'users.csv': { by: ['run'], isPersonal: true, isArchived: true },
  'failures.csv': { by: ['run'], isPersonal: true, isArchived: true },
  'report.html': { by: ['run', 'comparison'], isPersonal: true, isArchived: true },
  'plan.json': { by: ['plan'] },
  'plan.html': { by: ['plan'], isPersonal: true },
  'plan.key': { by: ['plan'], isPersonal: true },
  'actions.jsonl': { by: ['plan'], isPersonal: true },
  'vanished.csv': { by: ['plan'], isPersonal: true },
  'plan.sig': { by: ['signature'], isForOthers: true },
  'same.csv': { by: ['comparison'], isPersonal: true },
  'differs.csv': { by: ['comparison'], isPersonal: true },
  'missing.csv': { by: ['comparison'], isPersonal: true },
  'extra.csv': { by: ['comparison'], isPersonal: true },
  'ambiguous.csv': { by: ['comparison'], isPersonal: true },
  'invalid.csv': { by: ['comparison'], isPersonal: true },
  'cutover.json': { by: ['cut-over'], isForOthers: true },
  'evidence.jsonl': { by: ['purge'], isForOthers: true },
} as const satisfies Record<string, JobFile>;

export type JobFileName = keyof typeof files;

/** A file that was found in a directory. */
export interface FoundFile extends JobFile {
  name: JobFileName;
  /** `archived`: of a job before, or of a file before it was corrected; `draft`: of a process that was killed. */
  state: 'current' | 'archived' | 'draft';
}

/** All of them. */
export const jobFileNames = Object.keys(files) as JobFileName[];

/** What is kept under a number: the journal, its lists and reports. */
export const archivedFileNames = jobFileNames.filter(isArchived);

/** The path of a file in a directory. */
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

/** Which of these files a name is of; `undefined` for any other. What is archived or a draft may name people. */
export function recogniseFile(found: string): FoundFile | undefined {
  if (isJobFile(found)) return { ...files[found], name: found, state: 'current' };
  const unnumbered = found.replace(/-\d+\./, '.');
  if (isJobFile(unnumbered) && isArchived(unnumbered))
    return { ...files[unnumbered], name: unnumbered, state: 'archived', isPersonal: true };
  const complete = found.replace(/\.new$/, '');
  if (isJobFile(complete)) return { ...files[complete], name: complete, state: 'draft', isPersonal: true };
  return undefined;
}

function isJobFile(name: string): name is JobFileName {
  return Object.hasOwn(files, name);
}

function isArchived(name: JobFileName): boolean {
  return 'isArchived' in files[name];
}
