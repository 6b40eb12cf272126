import * as v from 'valibot';
import { count, described, digest, text } from '../../contract/value-schemas.ts';
import type { KeyOwner } from '../actions/decide.ts';
import type { KeyField } from '../actions/keys.ts';
import { type ChangingKind, type PlannedKind, plannedKinds } from '../actions/reasons.ts';
import type { InputOptions } from '../input/open-input.ts';
import type { Preview } from '../model/preview.ts';

/** How the file is read, with the recipe; but for the HMAC key, which is never stored. */
export type FileReading = Omit<InputOptions, 'key' | 'signal' | 'onUnknownValue'>;

/** A value of which the schema promises less than the program knows, so that more can be added. */
function known<Value>(schema: v.GenericSchema) {
  return schema as v.GenericSchema<Value>;
}

const texts = known<readonly string[]>(v.array(text));

/** The job that an undo is of. */
const undoneJob = v.strictObject({
  job: described(text, 'directory of the job that is undone'),
  /** Users who have logged in or were changed since are disabled too. */
  with_active: v.boolean(),
  unresolved: described(count, 'rows of the job that may have been sent and have no answer, at most'),
  kept: described(count, 'users whom the job updated or disabled, which stays'),
});

/**
 * A plan, `plan.json`, and what `plan` prints: what is to be done for each row of a file, bound to the file, its mapping and
 * the tenant.
 */
export const plan = v.strictObject({
  version: v.literal(1),
  /** Version of the program that made it. */
  program: text,
  made_at: text,
  /** The file whose rows it is about; of an undo the one that the job imported, which is not read again. */
  file: v.strictObject({ path: text, digest, rows: count }),
  /** Of an undo: a plan that disables the users whom a job created. */
  undoes: v.exactOptional(undoneJob),
  reading: described(known<FileReading>(v.looseObject({})), 'how the file is read, but for the HMAC key'),
  /** Of everything that changes what is sent: mapping, constants, key, flags. */
  mapping: digest,
  /** The tenant, such as base URL and client id. */
  target: v.record(v.string(), text),
  options: v.strictObject({
    key: known<KeyField | null>(v.nullable(text)),
    update: described(v.union([texts, v.literal('all'), v.null()]), 'fields; null: none'),
    disable_missing: v.boolean(),
    only: described(known<ChangingKind | null>(v.nullable(text)), 'the one kind of change that it may have'),
  }),
  since: v.exactOptional(
    described(
      v.strictObject({ job: text, unchanged: count, vanished: count }),
      'of a plan of what changed since the file of an earlier job: its directory, rows as they were, users in no row any more',
    ),
  ),
  users: described(count, 'of the tenant, when the plan was made'),
  asked: described(text, 'how the tenant was asked, and why'),
  totals: v.strictObject(v.entriesFromList(plannedKinds, count)),
  reasons: described(v.record(text, count), 'number of actions by reason'),
  /** Of the users to be created. */
  people: known<Preview>(v.looseObject({})),
  forecast: v.strictObject({
    requests: count,
    seconds: described(count, 'at the pace of the reading; 0: unknown'),
  }),
  /** Of `actions.jsonl`, and of the key of its fingerprints. */
  actions: digest,
  key: digest,
  /** Values of rows are in the actions. */
  with_values: v.boolean(),
  digest: described(text, 'SHA-256 of the document without this line, in canonical form (RFC 8785)'),
});

export type Plan = v.InferOutput<typeof plan>;

const owner = v.strictObject({ userId: text, keys: v.array(text), disabled: v.boolean() });

/** A line of `actions.jsonl`: what is to be done for a row, or for a user who is in no row. */
export const actionLine = v.strictObject({
  row: described(v.nullable(count), 'null: a user of whom the file has no row'),
  action: known<PlannedKind>(text),
  /** Of an invalid row the code of its first issue. */
  reason: text,
  user_id: v.exactOptional(text),
  earlier_user_id: v.exactOptional(described(text, 'of the job of --since, where nobody is the person now')),
  /** To change, or that differ. */
  fields: v.exactOptional(texts),
  /** That differ as well, and that the API cannot change. */
  unchangeable: v.exactOptional(texts),
  /** Who has keys of the row, where that is in the way. */
  owners: v.exactOptional(known<readonly KeyOwner[]>(v.array(owner))),
  seen: v.exactOptional(described(text, 'fingerprint of the user')),
  key: v.exactOptional(described(text, 'fingerprint of the first key of the row')),
  values: v.exactOptional(described(text, 'fingerprint of the row')),
  hash: v.exactOptional(described(text, 'fingerprint of the hash of the row')),
  // These only where values were asked for.
  user_name: v.exactOptional(text),
  external_id: v.exactOptional(text),
  changes: v.exactOptional(v.record(text, v.strictObject({ from: text, to: text }))),
});

export type ActionLine = v.InferOutput<typeof actionLine>;

/** What became of one action from one plan to the next, each in words; empty where there is none. */
export const actionChange = v.strictObject({
  row: v.nullable(count),
  user_id: text,
  before: text,
  after: text,
});

export type ActionChange = v.InferOutput<typeof actionChange>;
