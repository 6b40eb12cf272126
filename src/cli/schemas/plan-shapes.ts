import * as v from 'valibot';
import { count, described, digest, text } from '../../contract/value-schemas.ts';
import { comparison } from '../../migration/compare/comparison.ts';
import type { ActionLine } from '../../migration/plan/action-lines.ts';
import type { ActionChange } from '../../migration/plan/compare-plans.ts';
import type { Plan } from '../../migration/plan/plan-document.ts';
import { list, type Shapes } from './shapes.ts';

const totals = v.strictObject({
  create: count,
  same: count,
  update: count,
  disable: count,
  conflict: count,
  cannot: count,
  invalid: count,
  skipped: count,
}) satisfies v.GenericSchema<unknown, Plan['totals']>;

/** `plan.json`, and what `plan` prints. */
export const plan = v.strictObject({
  version: v.literal(1),
  program: text,
  made_at: text,
  file: v.strictObject({ path: text, digest, rows: count }),
  undoes: v.exactOptional(
    v.strictObject({
      job: described(text, 'directory of the job that is undone'),
      with_active: v.boolean(),
      unresolved: described(count, 'rows of the job that may have been sent and have no answer, at most'),
      kept: described(count, 'users whom the job updated or disabled, which stays'),
    }),
  ),
  reading: described(v.looseObject({}), 'how the file is read, but for the HMAC key'),
  mapping: digest,
  target: v.record(v.string(), text),
  options: v.strictObject({
    key: v.nullable(text),
    update: described(v.union([v.array(text), v.literal('all'), v.null()]), 'fields; null: none'),
    disable_missing: v.boolean(),
    only: described(v.nullable(text), 'the one kind of change that it may have'),
  }),
  since: v.exactOptional(
    described(
      v.strictObject({ job: text, unchanged: count, vanished: count }),
      'of a plan of what changed since the file of an earlier job: its directory, rows as they were, users in no row any more',
    ),
  ),
  users: described(count, 'of the tenant, when the plan was made'),
  asked: described(text, 'how the tenant was asked, and why'),
  totals,
  reasons: described(v.record(text, count), 'number of actions by reason'),
  people: v.looseObject({}),
  forecast: v.strictObject({
    requests: count,
    seconds: described(count, 'at the pace of the reading; 0: unknown'),
  }),
  actions: digest,
  key: digest,
  with_values: v.boolean(),
  digest: described(text, 'SHA-256 of the document without this line, in canonical form (RFC 8785)'),
});

const owner = v.strictObject({ userId: text, keys: v.array(text), disabled: v.boolean() });

/** A line of `actions.jsonl`. */
const actionLine = v.strictObject({
  row: described(v.nullable(count), 'null: a user of whom the file has no row'),
  action: text,
  reason: text,
  user_id: v.exactOptional(text),
  earlier_user_id: v.exactOptional(described(text, 'of the job of --since, where nobody is the person now')),
  fields: described(text, 'separated by spaces'),
  unchangeable: v.exactOptional(v.array(text)),
  owners: v.exactOptional(v.array(owner)),
  seen: v.exactOptional(described(text, 'fingerprint of the user')),
  key: v.exactOptional(described(text, 'fingerprint of the first key of the row')),
  values: v.exactOptional(described(text, 'fingerprint of the row')),
  hash: v.exactOptional(described(text, 'fingerprint of the hash of the row')),
  user_name: v.exactOptional(text),
  external_id: v.exactOptional(text),
  changes: v.exactOptional(v.record(text, v.strictObject({ from: text, to: text }))),
}) satisfies v.GenericSchema<unknown, Partial<Record<keyof ActionLine, unknown>>>;

/** An action that is not the same in two plans. */
const actionChange = v.strictObject({
  row: v.nullable(count),
  user_id: text,
  before: text,
  after: text,
}) satisfies v.GenericSchema<unknown, ActionChange>;

/** What is said of a plan that was signed or verified. */
function planState(name: 'signed' | 'valid') {
  return v.strictObject({ directory: text, digest, [name]: v.literal(true) });
}

const standing = v.strictObject({
  algorithm: described(v.nullable(text), 'null: users without a password'),
  created: count,
  logged_in: described(count, 'have logged in, at least once'),
  never: described(count, 'never have, and could'),
  disabled: described(count, 'never have, and are disabled'),
  gone: described(count, 'are no longer in the tenant'),
  percent: described(v.number(), 'logged in, of those created'),
  out_of_line: described(v.nullable(v.boolean()), 'true: an alarm; null: nothing to compare it with'),
  evidence: described(
    v.nullable(v.number()),
    'how many times better the logins fit an algorithm that is out of line',
  ),
});

/** What the commands about plans, comparisons and the time after an import print. */
export const planShapes = {
  plan: { title: 'The plan that was made', document: plan },
  'plan show': {
    title: 'A plan, or its actions of one kind',
    document: v.union([plan, v.strictObject({ actions: v.array(actionLine) })]),
    line: v.union([plan, actionLine]),
  },
  'plan diff': list('What changed between two plans', 'changes', actionChange, {
    same_file: v.boolean(),
    totals: v.record(text, v.strictObject({ before: count, after: count })),
  }),
  'plan sign': { title: 'The plan that was signed', document: planState('signed') },
  'plan verify': { title: 'A plan that is unchanged and signed', document: planState('valid') },
  cutover: list('Who of the imported users has logged in', 'algorithms', standing, {
    job: text,
    at: text,
    users: described(count, 'users of the tenant'),
    asked: described(text, 'how the tenant was asked, and why'),
    looks: described(count, 'looks in which somebody had logged in for the first time'),
    unresolved: described(count, 'rows of the job that may have been sent and have no answer, at most'),
  }),
  compare: { title: 'How file and tenant differ', document: comparison },
} as const satisfies Record<string, Shapes>;
