import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRecord } from '../../contract/is-record.ts';
import { isJobKind, type Job } from '../../migration/model/job.ts';
import type { JobStatus } from '../../migration/records/job-status.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { systemFaultOf } from '../errors/system-fault.ts';

/** A run of a job, as a line of the list of runs. No personal data and no secret is in it. */
export interface RecordedRun {
  time: string;
  command: string;
  kind: Job['kind'];
  target: Job['target'];
  rows: number;
  directory: string;
}

/** A job as the list shows it. `planned`: the plan was not applied. `gone`: its directory is not there. */
export interface ListedJob {
  time: string;
  command: string;
  kind: JobStatus['kind'];
  state: JobStatus['state'] | 'planned' | 'gone' | 'unreadable';
  runs: number;
  rows: number;
  /** Rows that are users as the job wants them, or were left out by the recipe; `null`: not known. */
  done: number | null;
  target: JobStatus['target'];
  directory: string;
}

/** The list of the runs of this account on this machine. */
function runsFile({ stateDirectory }: CommandContext): string {
  return join(stateDirectory, 'runs.jsonl');
}

/**
 * Returns what appends a run to the list, for its owner's eyes only. One write a line lets commands run at the same time. A
 * run that cannot be listed goes on: `warn` says so.
 */
export function recordRun(
  context: CommandContext,
  command: string,
  directory: string,
  warn: (text: string) => void,
): (job: Pick<Job, 'kind' | 'target' | 'rows'>) => void {
  return ({ kind, target, rows }) => {
    const time = new Date(context.now()).toISOString();
    const run: RecordedRun = { time, command, kind, target, rows, directory: resolve(directory) };
    const file = runsFile(context);
    try {
      mkdirSync(context.stateDirectory, { recursive: true, mode: 0o700 });
      appendFileSync(file, `${JSON.stringify(run)}\n`, { mode: 0o600 });
    } catch (cause) {
      const reason = systemFaultOf(cause)?.reason ?? String(cause);
      warn(`Warning: this run will not be in the list of runs: ${file} cannot be written: ${reason}`);
    }
  };
}

/** Reads the list, the oldest run first; `broken`: lines that are none. Throws a `ConfigurationError`. */
export function readRuns(context: CommandContext): { runs: RecordedRun[]; broken: number } {
  const lines = textOf(runsFile(context))
    .split('\n')
    .filter((line) => line !== '');
  const runs = lines.flatMap((line) => runFrom(line) ?? []);
  return { runs, broken: lines.length - runs.length };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const fault = systemFaultOf(cause);
    if (!fault) throw cause;
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return '';
    throw new ConfigurationError(`the list of runs ${file} cannot be read: ${fault.reason}`, '');
  }
}

function runFrom(line: string): RecordedRun | undefined {
  try {
    const run: unknown = JSON.parse(line);
    return isRecordedRun(run) ? run : undefined;
  } catch {
    return undefined;
  }
}

/** A file that somebody has edited may hold anything. */
function isRecordedRun(run: unknown): run is RecordedRun {
  if (!isRecord(run) || !isRecord(run.target)) return false;
  const texts = [run.time, run.command, run.directory, ...Object.values(run.target)];
  return texts.every((text) => typeof text === 'string') && isJobKind(run.kind) && Number.isInteger(run.rows);
}
