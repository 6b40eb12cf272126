import * as v from 'valibot';
import { count, described, digest, text } from '../../contract/value-schemas.ts';
import { comparison } from '../../migration/compare/comparison.ts';
import { actionChange, actionLine, plan } from '../../migration/plan/plan-schemas.ts';
import { list, type Shapes } from './shapes.ts';

/** An action as `plan show` prints it. */
const shownAction = v.strictObject({
  ...actionLine.entries,
  fields: described(text, 'separated by spaces'),
});

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
    document: v.union([plan, v.strictObject({ actions: v.array(shownAction) })]),
    line: v.union([plan, shownAction]),
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
