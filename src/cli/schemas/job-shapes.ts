import * as v from 'valibot';
import { hashAlgorithms } from '../../contract/attributes.ts';
import { count, moment } from '../../contract/wire.ts';
import type { EvidenceHead } from '../../migration/evidence/evidence-lines.ts';
import type { PurgedJob } from '../../migration/evidence/purge-job.ts';
import { rowResults } from '../../migration/model/outcome.ts';
import { type JobStatus, jobStates } from '../../migration/records/job-status.ts';
import type { LoggedChange } from '../log/list-changes.ts';
import type { ListedJob } from '../log/list-runs.ts';
import { logOutcomes, runKinds } from '../log/log-line.ts';
import { described, list, type Shapes, text, textOrNull } from './shapes.ts';

const kind = v.picklist(['import', 'dry-run', 'rehearsal', 'merge', 'plan']);

const target = described(
  v.record(v.string(), text),
  'base_url and client_id, or database; empty where no tenant is written to',
);
const seconds = v.pipe(v.number(), v.minValue(0));

/** What the canaries of a ramp came to. */
export const ramp = described(
  v.strictObject({ canaries: count, logins: v.picklist(['accepted', 'unproven on the tenant']) }),
  'of --ramp: canaries that were created, and what became of their logins',
);

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
  waiting_until: v.exactOptional(
    described(text, 'when the window of the run opens; only while it is closed'),
  ),
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
  ramp: v.exactOptional(ramp),
}) satisfies v.GenericSchema<unknown, JobStatus>;

const listed = v.strictObject({
  time: described(text, 'when its last run began'),
  command: text,
  kind: v.picklist(runKinds),
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

const logged = v.strictObject({
  time: described(moment, 'when it began'),
  command: text,
  outcome: described(
    v.picklist(logOutcomes),
    'begun: no end was written; unknown: no answer came; finished, stopped: of a run; sent: by api',
  ),
  user_id: described(textOrNull, 'null: of a run, or not known'),
  code: described(textOrNull, 'of the error'),
  changed: described(v.nullable(count), 'users who were changed; null: not known'),
  rows: described(
    v.nullable(v.record(v.picklist(rowResults), count)),
    'of a run: rows of its job by outcome; null: of one user, or not known',
  ),
  directory: described(textOrNull, 'of a run; it knows the users'),
  profile: described(textOrNull, 'null: no profile was used'),
  target,
}) satisfies v.GenericSchema<unknown, LoggedChange>;

const digest = described(text, 'SHA-256, hex');
const lastLink = described(
  text,
  'the last link of the chain, which stands for every byte before it; base64url',
);

const evidenceRow = v.strictObject({
  row: count,
  result: v.picklist(rowResults),
  algorithm: v.exactOptional(v.picklist(hashAlgorithms)),
  code: v.exactOptional(text),
  found_by_look_up: v.exactOptional(v.literal(true)),
  key: v.exactOptional(described(text, 'fingerprint of the first identifier of the row')),
  user: v.exactOptional(described(text, 'fingerprint of the user id')),
  earlier: v.exactOptional(described(v.literal(true), 'of the file as it was before it was corrected')),
});

const digests = v.strictObject({
  source: digest,
  options: v.exactOptional(digest),
  plan: v.exactOptional(digest),
  recipe: v.exactOptional(v.strictObject({ name: text, digest })),
  records: described(v.record(text, digest), 'lists and reports of the job, by file name'),
}) satisfies v.GenericSchema<unknown, EvidenceHead['digests']>;

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
  log: list('What this account changed from this machine', 'changes', logged, {
    total: described(count, 'changes that there are'),
    unsearched_runs: described(count, 'with --user: runs whose list of users is gone'),
  }),
  evidence: {
    title: 'The evidence that was packed',
    document: v.strictObject({
      file: text,
      key_file: described(text, 'key of the fingerprints'),
      rows: described(count, 'lines of rows'),
      signed: v.boolean(),
      digest: lastLink,
    }),
  },
  'evidence verify': {
    title: 'Evidence that is whole',
    document: v.strictObject({
      file: text,
      valid: v.literal(true),
      signed: v.boolean(),
      signed_by: described(textOrNull, 'public key, DER in base64'),
      digest: lastLink,
      packed_at: text,
      job: status,
      digests,
      found: v.exactOptional(described(v.array(evidenceRow), 'only with --find')),
    }),
  },
  'job purge': {
    title: 'What is left of a job',
    document: v.strictObject({
      job: text,
      purged_at: text,
      rows: count,
      evidence: described(text, 'file of the evidence'),
      digest: lastLink,
      deleted: described(v.array(text), 'files; the rows of the journal are deleted as well'),
      left: described(v.array(text), 'files that are not of this program'),
    }) satisfies v.GenericSchema<unknown, PurgedJob>,
  },
} as const satisfies Record<string, Shapes>;
