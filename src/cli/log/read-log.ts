import * as v from 'valibot';
import { count, described, jsonLine, moment, text, textOrNull } from '../../contract/value-schemas.ts';
import { jobKinds } from '../../migration/model/job.ts';
import { jobStates, jobStatus, jobTarget } from '../../migration/model/job-status.ts';
import { rowResults } from '../../migration/model/outcome.ts';
import type { CommandContext } from '../context/context.ts';
import { readLines } from './log-files.ts';

const runKinds = [...jobKinds, 'comparison'] as const;

/** How a change or a run ended. `begun`: no end is in the log, because it still runs or was cut off. */
const logOutcomes = [
  'begun',
  'created',
  'updated',
  'disabled',
  'sent',
  'failed',
  'unknown',
  'finished',
  'stopped',
] as const;

const begun = {
  time: moment,
  /** Identifies the change or the run: the same in the lines of its beginning and its end. */
  id: text,
  command: text,
  /** Name of the profile that was used, or `null` for none. */
  profile: v.nullable(text),
  /** The tenant as a journal identifies it: base URL and client id, or the database. */
  target: v.record(v.string(), text),
};

/** The beginning of a run that has a directory of its own: a job, a plan or a comparison. */
const runBegun = v.strictObject({
  ...begun,
  kind: v.picklist(runKinds),
  rows: count,
  directory: text,
  /** True if the run sends changes to the tenant. */
  is_sending: v.boolean(),
  /** For a job that creates users: SHA-256 of its file, in hex. An import of the file in another directory finds this run by it. */
  source: v.exactOptional(text),
  /** For a plan of what changed since a job: its directory, when its first run began, and SHA-256 of the file of the plan, in hex. */
  since: v.exactOptional(v.strictObject({ job: text, begun_at: moment, file: text })),
  shard: v.exactOptional(v.strictObject({ index: count, of: count })),
});

/** The beginning of a change of one user, written before it is sent. The id is `null` for a user still to be created. */
const changeBegun = v.strictObject({ ...begun, user_id: v.nullable(text) });

/** The end of a run or of a change. */
const ended = v.strictObject({
  time: moment,
  id: text,
  outcome: v.picklist(logOutcomes),
  user_id: v.exactOptional(text),
  code: v.exactOptional(text),
  /** For a run: number of rows of its job by outcome, including earlier runs. */
  rows: v.exactOptional(v.record(v.picklist(rowResults), count)),
  /** For a run: number of users whom it changed itself. */
  changed: v.exactOptional(count),
  /** For a run: number of its failed rows whose users exist, but could not be disabled. */
  not_disabled: v.exactOptional(count),
});

/** Reads a line of the log. It never contains personal data or secrets. */
const lineFrom = jsonLine(v.union([runBegun, changeBegun, ended]));

export type RunBegun = v.InferOutput<typeof runBegun>;
export type ChangeBegun = v.InferOutput<typeof changeBegun>;
export type Ended = v.InferOutput<typeof ended>;

/** The beginning of a change or of a run, and its end if the log has one. */
export interface LogEntry {
  begun: RunBegun | ChangeBegun;
  ended: Ended | undefined;
}

/**
 * Reads the log, latest entry first, one page per file. Calls `broken` for each invalid line, such as one cut off by a power
 * failure or edited by hand. Does not parse lines that `isWanted` rejects. Throws a `ConfigurationError` if a file cannot be read.
 */
export function* readLog(
  context: CommandContext,
  broken: () => void,
  isWanted: (line: string) => boolean = () => true,
): Generator<LogEntry[]> {
  const ends = new Map<string, Ended>();
  for (const lines of readLines(context)) {
    const entries: LogEntry[] = [];
    for (const text of lines) {
      if (!isWanted(text)) continue;
      const line = lineFrom(text);
      if (!line) broken();
      else if ('outcome' in line) ends.set(line.id, line);
      else {
        entries.push({ begun: line, ended: ends.get(line.id) });
        ends.delete(line.id);
      }
    }
    yield entries;
  }
}

/** Reads the runs of the log, latest first. */
export function* readLoggedRuns(
  context: CommandContext,
): Generator<{ begun: RunBegun; ended: LogEntry['ended'] }> {
  // Both log lines of a run have this key. The many lines about single users do not, and need not be parsed.
  const isOfRun = (line: string) => line.includes('"rows":');
  for (const entries of readLog(context, () => {}, isOfRun))
    for (const { begun, ended } of entries) if ('rows' in begun) yield { begun, ended };
}

/** A job, plan or comparison as `runs` lists it. */
export const listedJob = v.strictObject({
  time: described(text, 'when its last run began'),
  command: text,
  kind: v.picklist(runKinds),
  state: described(
    v.picklist([...jobStates, 'planned', 'gone', 'unreadable']),
    'planned: the plan was not applied; gone: the directory is not there',
  ),
  runs: described(count, 'runs in this directory'),
  rows: count,
  in_no_row: jobStatus.entries.in_no_row,
  done: described(v.nullable(count), 'rows that are users as the job wants them; null: not known'),
  target: jobTarget,
  directory: text,
});

export type ListedJob = v.InferOutput<typeof listedJob>;

/** A logged change: either of one user, or by a run, whose directory lists the users. */
export const loggedChange = v.strictObject({
  time: described(moment, 'when it began'),
  command: text,
  outcome: described(
    v.picklist(logOutcomes),
    'begun: no end was written; unknown: no answer came; finished, stopped: of a run; sent: by api',
  ),
  user_id: described(textOrNull, 'null: of a run, or not known'),
  code: described(textOrNull, 'of the error'),
  changed: described(
    v.nullable(count),
    'users who were changed; of a run that an older version logged, by its whole job; null: not known',
  ),
  rows: described(
    v.nullable(v.record(v.picklist(rowResults), count)),
    'of a run: rows of its job by outcome; null: of one user, or not known',
  ),
  directory: described(textOrNull, 'of a run; it knows the users'),
  profile: described(textOrNull, 'null: no profile was used'),
  target: jobTarget,
});

export type LoggedChange = v.InferOutput<typeof loggedChange>;
