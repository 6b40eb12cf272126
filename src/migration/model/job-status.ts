import * as v from 'valibot';
import { hashAlgorithms } from '../../contract/attributes.ts';
import { amount, count, described, optional, text, textOrNull } from '../../contract/value-schemas.ts';
import { jobKinds } from './job.ts';
import { ramp } from './summary.ts';

/**
 * `finished`: every row has an outcome, or was checked. `stopped`: the last run ended in good order before that. `crashed`: the
 * last run was cut off. `purged`: the personal data of the job was deleted.
 */
export const jobStates = ['running', 'finished', 'stopped', 'crashed', 'purged'] as const;

export const jobTarget = described(
  v.record(v.string(), text),
  'base_url and client_id, or database; empty where no tenant is written to',
);

/** The status of a job, whether or not a run is under way. It contains no personal data. */
export const jobStatus = v.strictObject({
  job: described(text, 'the job directory'),
  kind: v.picklist(jobKinds),
  state: described(v.picklist(jobStates), 'stopped: before the last row; crashed: the run was cut off'),
  file: text,
  target: jobTarget,
  former_targets: optional(
    v.array(v.strictObject({ target: jobTarget, until: text })),
    'where the tenant was before job retarget',
  ),
  runs: optional(count, 'runs of the job; left out while one lasts'),
  started_at: described(text, 'of the last run'),
  seconds: described(v.nullable(amount), 'of the last run; null: it was cut off'),
  process: optional(
    v.strictObject({ pid: count, host: text, last_outcome_at: textOrNull }),
    'who runs the job; only while a run lasts, as are rows_per_second and seconds_left',
  ),
  rows_per_second: optional(count, 'of the last seconds'),
  seconds_left: v.exactOptional(
    described(v.nullable(count), 'until the end, with the hours in which the window is closed'),
  ),
  waiting_until: optional(text, 'when the window of the run opens; only while it is closed'),
  purged_at: optional(text, 'when job purge deleted the personal data'),
  undone_at: optional(text, 'when an undo began to disable the users of the job'),
  undone_shards: optional(
    v.array(text),
    'of merged shards: those that were undone, if not the whole job was',
  ),
  rows: count,
  in_no_row: optional(count, 'of rows, in a plan: users who are in no row of the file'),
  created: count,
  updated: optional(count, 'of a plan'),
  disabled: optional(count, 'of a plan'),
  disabled_after_create: optional(
    count,
    'users whom the job created and who were then disabled, as the file says',
  ),
  existing: count,
  conflict: count,
  failed: count,
  invalid: count,
  skipped: count,
  unknown: count,
  pending: count,
  unanswered: optional(
    count,
    'of pending, at most: rows that may have been sent; the next run looks them up',
  ),
  without_row: optional(count, 'users of the job who have no valid row in its corrected file'),
  verified: described(
    v.array(v.strictObject({ algorithm: v.picklist(hashAlgorithms), tried: count, matched: count })),
    'known passwords, by algorithm',
  ),
  not_verified: v.exactOptional(v.array(v.picklist(hashAlgorithms))),
  ramp: v.exactOptional(ramp),
});

export type JobStatus = v.InferOutput<typeof jobStatus>;
