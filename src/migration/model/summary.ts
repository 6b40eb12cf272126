import * as v from 'valibot';
import { type HashAlgorithm, hashAlgorithms } from '../../contract/attributes.ts';
import { amount, count, described, optional, text } from '../../contract/value-schemas.ts';
import { differenceCodes } from './outcome.ts';

export interface Progress {
  /** Data rows of the file, or of the shard. */
  total: number;
  /** Rows that have an outcome, including those of earlier runs. */
  done: number;
  created: number;
  /** Users whom a plan has updated or disabled; left out if there are none. */
  changed?: number;
  /** Rows that were not imported: failed, in conflict, or without an answer. */
  failed: number;
  invalid: number;
  /** True if rows are only checked, and nothing is sent. */
  isCheck: boolean;
}

/** Result of a ramp's canaries on the tenant. Users who existed before keep another password, so they do not count. */
export const ramp = described(
  v.strictObject({
    canaries: count,
    logins: v.picklist(['accepted', 'unproven on the tenant']),
    not_tried: optional(
      v.array(count),
      'lines of the list of canaries whose users have another hash than their rows in the corrected file, or stay disabled',
    ),
  }),
  'of --ramp: canaries that were created, and what became of their logins',
);

export type CanaryLogins = v.InferOutput<typeof ramp>;

/** The result of a job, as in `summary.json` and `--json`. `rows` is always the sum of the counts of `rowResults`. */
export const summary = v.strictObject({
  job: described(text, 'the job directory'),
  target: described(
    v.record(v.string(), text),
    'where it went: base_url and client_id, or database; empty in a dry run or a rehearsal',
  ),
  rows: described(
    count,
    'the sum of created, updated, disabled, existing, conflict, failed, invalid, skipped, unknown and pending',
  ),
  in_no_row: optional(count, 'of rows, in a plan: users who are in no row of the file, if there are any'),
  created: count,
  updated: optional(count, 'of a plan: users who were changed'),
  disabled: optional(count, 'of a plan: users who were disabled'),
  disabled_after_create: optional(
    count,
    'users whom the job created and who were then disabled, as the file says, if there are any; users.csv says who',
  ),
  found_by_look_up: described(count, 'of created: their answers were lost, and they were found by look-up'),
  existing: count,
  hashes_not_sent: described(
    count,
    'of existing and updated: with a hash in the row; they keep their passwords',
  ),
  conflict: count,
  failed: described(count, 'rejected by the API'),
  stayed_enabled: optional(
    count,
    'of failed: users whom the job created, and who stayed enabled although the file says otherwise',
  ),
  invalid: described(count, 'not sent: the row has errors'),
  skipped: described(count, 'left out by the recipe'),
  unknown: described(count, 'sent, but no answer came back'),
  pending: described(count, 'without an outcome yet: not sent, except for those of unanswered'),
  unanswered: optional(
    count,
    'of pending, at most: rows that may have been sent before a run was cut off; the next run looks them up',
  ),
  plan: optional(text, 'digest of the plan that was applied'),
  updates_in_part: optional(
    count,
    'of updated: users whose hash, pwd_must_modify or external ID was left, because the API cannot change it',
  ),
  unresolved: optional(
    count,
    'of an undo: rows of the undone job that may have been sent and have no answer, at most; their users are not in its plan',
  ),
  undone_at: optional(text, 'when an undo began to disable the users of the job'),
  resumed: v.boolean(),
  dry_run: v.boolean(),
  asked: optional(text, 'how the dry run asked the tenant who is there, and why so'),
  copies: optional(
    count,
    'of pending, with --live: rows whose only identifier is an external ID that a user of the tenant has; an import creates these users a second time',
  ),
  shared_external_ids: optional(
    count,
    'of pending, with --live: rows with an external ID that another user of the tenant has, if there are any; nobody can change it after the import',
  ),
  rehearsal: v.boolean(),
  open_questions: optional(
    count,
    'of the recipe, if there are any: nothing is imported before they are decided',
  ),
  ramp: v.exactOptional(ramp),
  shard: optional(text, 'shard of the file, such as 1/2'),
  must_change_password: described(
    count,
    'rows that were read and pass the checks, of users who must change the password at the first login; with --live without those whose users are there, as in the other counts of users',
  ),
  must_change_by_default: described(count, 'of these: by the default of the API, not by the file or --set'),
  without_password: described(count, 'rows that pass the checks, of users who will have no password'),
  without_login_name: described(
    count,
    'rows that pass the checks, of users without user name, mobile number and e-mail address',
  ),
  to_disable: described(count, 'rows that pass the checks, of users who are disabled after the create'),
  same_hash: described(
    count,
    'rows that pass the checks, of users with one and the same bcrypt hash; 0 where they are at most ten or a fifth of those with bcrypt',
  ),
  ignored_columns: described(
    v.array(text),
    'columns of the file, and lists of objects beside the users, that are not imported',
  ),
  shared_with_skipped: optional(
    v.strictObject({ users: count, rows: v.array(count) }),
    'users with an identifier of somebody whom the recipe leaves out, and the first 100 of their rows, if there are any',
  ),
  missing_status: optional(
    v.array(text),
    'columns by which the recipe finds people who may not log in, if no record of the file has any of them',
  ),
  salt_columns: optional(
    v.array(text),
    'of ignored_columns: those of short random texts beside digests, which may be salts, if there are any',
  ),
  status_columns: optional(
    v.array(text),
    'of ignored_columns: those whose first values may say who may not log in, if there are any',
  ),
  by_condition: optional(
    v.record(v.string(), count),
    'rows of the file that are left out, or whose users the file disables, by the condition of the recipe; a row counts for each that holds',
  ),
  seconds: described(amount, 'without the time in which a person was asked'),
  waited_seconds: optional(amount, 'of seconds: waiting for the window of the run'),
  rows_per_second: count,
  without_row: optional(
    count,
    'users of the job who have no valid row in its corrected file, if there are any',
  ),
  codes: described(
    v.record(v.string(), count),
    'number of rows that did not become users, or whose users are not as a corrected row says, by error code',
  ),
  issues: described(
    v.record(v.string(), count),
    'all issues of the rows that were read, not only the first of each row: number of rows by code',
  ),
  unknown_algorithms: described(
    v.record(v.string(), count),
    'number of rows by the names of algorithms that the API does not accept; 20 names at most',
  ),
  not_verified: described(
    v.array(v.picklist(hashAlgorithms)),
    'algorithms of rows that pass the checks, if no canary verified them',
  ),
  by_algorithm: v.record(
    v.picklist(hashAlgorithms),
    v.strictObject({
      created: count,
      failed: count,
      canaries: described(count, 'known passwords that matched; 0: not verified'),
      other_keys: optional(count, 'rows of the file with an HMAC key that no canary has'),
    }),
  ),
});

export type Summary = v.InferOutput<typeof summary>;

/** Returns how many rows the same command would send: rows that were not taken, and rows that did not reach the service. */
export function unsentRows({ pending, codes }: Pick<Summary, 'pending' | 'codes'>): number {
  return pending + (codes.NOT_REACHED ?? 0);
}

/** `failed` includes invalid rows and conflicts; rows without an answer are in neither count. */
export type AlgorithmCounts = NonNullable<Summary['by_algorithm'][HashAlgorithm]>;

/** Returns how many users of a job are not as its corrected file says, or not in it. */
export function differingUsers({
  plan,
  codes,
  without_row: left = 0,
}: Pick<Summary, 'plan' | 'codes' | 'without_row'>): number {
  // For a plan, these codes are reasons of rows without an action.
  return plan === undefined ? differenceCodes.reduce((sum, code) => sum + (codes[code] ?? 0), left) : 0;
}

/** What the journal keeps of a job that ended in good order, as its fact `ended`. */
export interface EndedJob {
  summary: Summary;
  /** True if the last run was stopped before the last row. */
  isStopped: boolean;
}
