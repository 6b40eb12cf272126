import * as v from 'valibot';
import { count, described, digest, optional, text } from '../../../contract/value-schemas.ts';
import type { KeyOwner } from '../../actions/decide.ts';
import type { KeyField } from '../../actions/keys.ts';
import { type ChangingKind, type PlannedKind, plannedKinds } from '../../actions/reasons.ts';
import type { InputOptions } from '../../input/open-input.ts';
import type { Preview } from '../../model/preview.ts';

/** How the file is read, including the recipe, but without the HMAC key, which is never stored. */
export type FileReading = Omit<InputOptions, 'key' | 'signal' | 'onUnknownValue'>;

/** Gives a schema a narrower type than it validates, so that values can be added later. */
function known<Value>(schema: v.GenericSchema) {
  return schema as v.GenericSchema<Value>;
}

const texts = known<readonly string[]>(v.array(text));

const undoneJob = v.strictObject({
  job: described(text, 'directory of the job that is undone'),
  begun_at: described(text, 'when its first run began'),
  /** True if users who have logged in or were changed since are disabled, too. */
  with_active: v.boolean(),
  /** Present if the tenant showed a login of any user of the job, disabled ones among them. */
  logins_shown: v.exactOptional(v.literal(true)),
  unresolved: described(count, 'rows of the job that may have been sent and have no answer, at most'),
  pending: optional(count, 'rows of the job that were not sent, if it is not complete'),
  kept: described(count, 'users whom the job updated or disabled, which stays'),
  shard: optional(text, 'shard of the file, such as 1/2, if the job is one'),
  undone_at: optional(text, 'when another undo of the job began to disable its users'),
  undone_by: optional(text, 'directory of the plan of that undo'),
  new_import: optional(text, 'directory in which the job was started over, if its users are known'),
  lost_import: optional(text, 'directory in which the job was started over, if its users are not known'),
});

/**
 * A plan, as in `plan.json` and as printed by `plan`: the action for each row of a file, bound to the file, its mapping and the
 * tenant.
 */
export const plan = v.strictObject({
  version: v.literal(1),
  /** Version of the program that made the plan. */
  program: text,
  made_at: text,
  /** The file whose rows are planned; for an undo, the file that the job imported, which is not read again. */
  file: v.strictObject({ path: text, digest, rows: count }),
  /** Only in an undo, which disables the users whom a job created. */
  undoes: v.exactOptional(undoneJob),
  reading: described(known<FileReading>(v.looseObject({})), 'how the file is read, but for the HMAC key'),
  /** Digest of everything that changes what is sent: mapping, constants, key, flags. */
  mapping: digest,
  /** The tenant, such as base URL and client id. */
  target: v.record(v.string(), text),
  options: v.strictObject({
    key: known<KeyField | null>(v.nullable(text)),
    update: described(v.union([texts, v.literal('all'), v.null()]), 'fields; null: none'),
    disable_missing: v.boolean(),
    only: described(known<ChangingKind | null>(v.nullable(text)), 'the one kind of change that it may have'),
    disable_all: optional(v.literal(true), 'the users of all rows are disabled'),
  }),
  since: optional(
    v.strictObject({
      job: text,
      begun_at: v.exactOptional(text),
      unchanged: count,
      vanished: count,
      nameless: v.exactOptional(count),
      other_order: v.exactOptional(v.literal(true)),
      older_job: v.exactOptional(text),
      list: v.exactOptional(digest),
    }),
    'of a plan of what changed since the file of an earlier job: its directory, when its first run began, rows as they were, users in no row any more; rows that fail the checks and may be about these users, who are then not listed; directory of a job before that one which had this very file; SHA-256 of vanished.csv',
  ),
  users: described(
    v.nullable(count),
    'of the tenant, when the plan was made; null: it does not send the number',
  ),
  asked: described(text, 'how the tenant was asked, and why'),
  totals: v.strictObject(v.entriesFromList(plannedKinds, count)),
  reasons: described(v.record(text, count), 'number of actions by reason'),
  fields: optional(v.record(text, count), 'number of updates by the field that they change'),
  updates_in_part: optional(
    count,
    'updates that leave a hash, pwd_must_modify or an external ID, which the API cannot change',
  ),
  shared_external_ids: optional(
    count,
    'users to create with an external ID that another user of the tenant has, if there are any',
  ),
  /** Counts of the rows, and of the users to be created. */
  people: known<Preview>(v.looseObject({})),
  forecast: v.strictObject({
    requests: count,
    seconds: described(count, 'at the pace of the last run into the tenant; 0: unknown'),
  }),
  /** SHA-256 of `actions.jsonl`, and of the key of its fingerprints. */
  actions: digest,
  key: digest,
  /** True if the actions contain values of rows. */
  with_values: v.boolean(),
  digest: described(text, 'SHA-256 of the document without this line, in canonical form (RFC 8785)'),
});

export type Plan = v.InferOutput<typeof plan>;

const owner = v.strictObject({ userId: text, keys: v.array(text), disabled: v.boolean() });

/** A line of `actions.jsonl`: the action for a row, or for a user who is in no row. */
export const actionLine = v.strictObject({
  row: described(v.nullable(count), 'null: a user of whom the file has no row'),
  action: known<PlannedKind>(text),
  /** Reason code of the action; for an invalid row, the code of its first issue. */
  reason: text,
  user_id: v.exactOptional(text),
  earlier_user_id: optional(
    text,
    'of the job of --since, where nobody is the person now; for KEY_CHANGED, who it may be',
  ),
  /** Fields to change, or fields that differ if none is changed. */
  fields: v.exactOptional(texts),
  /** Differing fields that the API cannot change. */
  unchangeable: v.exactOptional(texts),
  /** Users who have keys of the row, if they cause a conflict. */
  owners: v.exactOptional(known<readonly KeyOwner[]>(v.array(owner))),
  seen: optional(text, 'fingerprint of the user'),
  key: optional(text, 'fingerprint of the first key of the row'),
  values: optional(text, 'fingerprint of the row'),
  hash: optional(text, 'fingerprint of the hash of the row'),
  // Only in a plan with values.
  user_name: v.exactOptional(text),
  external_id: v.exactOptional(text),
  changes: v.exactOptional(v.record(text, v.strictObject({ from: text, to: text }))),
});

export type ActionLine = v.InferOutput<typeof actionLine>;

/** An action that changed between two plans, before and after in words; empty if that plan does not have it. */
export const actionChange = v.strictObject({
  row: v.nullable(count),
  user_id: text,
  before: text,
  after: text,
});

export type ActionChange = v.InferOutput<typeof actionChange>;
