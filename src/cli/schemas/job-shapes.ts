import * as v from 'valibot';
import { hashAlgorithms } from '../../contract/attributes.ts';
import { count } from '../../contract/wire.ts';
import { type JobStatus, jobStates } from '../../migration/records/job-status.ts';
import type { ListedJob } from '../config/runs-file.ts';
import { described, list, type Shapes, text, textOrNull } from './shapes.ts';

const kind = v.picklist(['import', 'dry-run', 'rehearsal', 'merge', 'plan']);
const target = described(
  v.record(v.string(), text),
  'base_url and client_id, or database; empty where no tenant is written to',
);
const seconds = v.pipe(v.number(), v.minValue(0));

const status = v.strictObject({
  job: described(text, 'the job directory'),
  kind,
  state: described(v.picklist(jobStates), 'stopped: before the last row; crashed: the run was cut off'),
  file: text,
  target,
  runs: v.exactOptional(described(count, 'runs of the job; left out while one lasts')),
  started_at: described(text, 'of the last run'),
  seconds: described(v.nullable(seconds), 'of the last run; null: it was cut off'),
  process: v.exactOptional(
    described(
      v.strictObject({ pid: count, host: text, last_outcome_at: textOrNull }),
      'who runs the job; only while a run lasts, as are rows_per_second and seconds_left',
    ),
  ),
  rows_per_second: v.exactOptional(described(count, 'of the last seconds')),
  seconds_left: v.exactOptional(v.nullable(count)),
  purged_at: v.exactOptional(described(text, 'when job purge deleted the personal data')),
  rows: count,
  created: count,
  updated: v.exactOptional(described(count, 'of a plan')),
  disabled: v.exactOptional(described(count, 'of a plan')),
  existing: count,
  conflict: count,
  failed: count,
  invalid: count,
  skipped: count,
  unknown: count,
  pending: count,
  verified: described(
    v.array(v.strictObject({ algorithm: v.picklist(hashAlgorithms), tried: count, matched: count })),
    'known passwords, by algorithm',
  ),
  not_verified: v.exactOptional(v.array(v.picklist(hashAlgorithms))),
}) satisfies v.GenericSchema<unknown, JobStatus>;

const listed = v.strictObject({
  time: described(text, 'when its last run began'),
  command: text,
  kind,
  state: described(
    v.picklist([...jobStates, 'planned', 'gone', 'unreadable']),
    'planned: the plan was not applied; gone: the directory is not there',
  ),
  runs: described(count, 'runs in this directory'),
  rows: count,
  done: described(v.nullable(count), 'rows that are users as the job wants them; null: not known'),
  target,
  directory: text,
}) satisfies v.GenericSchema<unknown, ListedJob>;

/** What the commands about jobs print. */
export const jobShapes = {
  'import-hashes status': {
    title: 'How a job stands',
    document: v.strictObject({
      ...status.entries,
      next: described(
        v.array(v.strictObject({ text, command: v.exactOptional(text) })),
        'what to do, the most urgent first',
      ),
    }),
  },
  runs: list('The jobs of this account on this machine', 'jobs', listed, {
    total: described(count, 'jobs that there are'),
  }),
} as const satisfies Record<string, Shapes>;
