import * as v from 'valibot';
import { count, moment, text } from '../../contract/value-schemas.ts';
import { jobKinds } from '../../migration/model/job.ts';
import { rowResults } from '../../migration/model/outcome.ts';

/** What a run is: a kind of job, or a comparison. */
export const runKinds = [...jobKinds, 'comparison'] as const;

/** `begun`: how it ended is not in the log, because it still runs or was cut off. */
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
  /** Joins a line with that of its end. */
  id: text,
  command: text,
  /** Name of the profile that was used; `null`: of none. */
  profile: v.nullable(text),
  /** The tenant, as a journal knows it: base URL and client id, or the database. */
  target: v.record(v.string(), text),
};

/** A run in a directory of its own: of a job, of a plan, of a comparison. */
const runBegun = v.strictObject({
  ...begun,
  kind: v.picklist(runKinds),
  rows: count,
  directory: text,
  /** It sends changes to the tenant. */
  is_sending: v.boolean(),
  /** Of a job: SHA-256 of its file, hex; an import of the same file in another directory knows it by this. */
  source: v.exactOptional(text),
  shard: v.exactOptional(v.strictObject({ index: count, of: count })),
});

/** A change of one user, before it is sent; the id of a user who is to be created is not known. */
const changeBegun = v.strictObject({ ...begun, user_id: v.nullable(text) });

/** How it ended. */
const ended = v.strictObject({
  time: moment,
  id: text,
  outcome: v.picklist(logOutcomes),
  user_id: v.exactOptional(text),
  /** Code of the error. */
  code: v.exactOptional(text),
  /** Of a run: the rows of its job by outcome, those of earlier runs included. */
  rows: v.exactOptional(v.record(v.picklist(rowResults), count)),
});

/** A line of the log: personal data and secrets have no place in it. */
export const logLine = v.union([runBegun, changeBegun, ended]);

export type RunBegun = v.InferOutput<typeof runBegun>;
export type ChangeBegun = v.InferOutput<typeof changeBegun>;
export type Ended = v.InferOutput<typeof ended>;
