import * as v from 'valibot';
import { count, described, optional, text } from '../../contract/value-schemas.ts';

/** The members with one algorithm by their state. `created` is the sum of the counts after it. */
const memberCounts = v.strictObject({
  algorithm: described(v.nullable(text), 'null: users without a password'),
  created: count,
  logged_in: described(count, 'have logged in, at least once'),
  never: described(count, 'never have, and could'),
  disabled: described(count, 'never have, and are disabled'),
  gone: described(count, 'are no longer in the tenant'),
});

export type MemberCounts = v.InferOutput<typeof memberCounts>;

/** The members with one algorithm, and how their logins compare with those of the others. */
export const standing = v.strictObject({
  ...memberCounts.entries,
  percent: described(v.number(), 'logged in, of those created'),
  out_of_line: described(v.nullable(v.boolean()), 'true: an alarm; null: nothing to compare it with'),
  evidence: described(
    v.nullable(v.number()),
    'how many times better the logins fit an algorithm that is out of line',
  ),
});

/** What one look found, apart from the figures of each algorithm. */
export const lookFacts = v.strictObject({
  at: text,
  users: described(v.nullable(count), 'users of the tenant; null: it does not send the number'),
  asked: described(text, 'how the tenant was asked, and why'),
  looks: described(count, 'looks in which somebody had logged in for the first time'),
  shard: optional(text, 'shard of the file, such as 1/2, if the job is one'),
  unresolved: described(count, 'rows of the job that may have been sent and have no answer, at most'),
});

export interface CutoverLook extends v.InferOutput<typeof lookFacts> {
  algorithms: v.InferOutput<typeof standing>[];
}
