import * as v from 'valibot';
import { count, moment, text } from '../../contract/value-schemas.ts';
import { jobKinds } from '../../migration/model/job.ts';
import { rowResults } from '../../migration/model/outcome.ts';

/** Kinds of runs: the kinds of jobs, and comparisons. */
export const runKinds = [...jobKinds, 'comparison'] as const;

/** How a change or a run ended. `begun`: no end is in the log, because it still runs or was cut off. */
export const logOutcomes = [
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
  /** For a run: number of its failed rows whose users exist, but could not be disabled. */
  not_disabled: v.exactOptional(count),
});

/** A line of the log. It never contains personal data or secrets. */
export const logLine = v.union([runBegun, changeBegun, ended]);

export type RunBegun = v.InferOutput<typeof runBegun>;
export type ChangeBegun = v.InferOutput<typeof changeBegun>;
export type Ended = v.InferOutput<typeof ended>;
