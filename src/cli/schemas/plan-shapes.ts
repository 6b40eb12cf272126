import * as v from 'valibot';
import { count, described, digest, text } from '../../contract/value-schemas.ts';
import { lookFacts, standing } from '../../migration/cohort/cutover-look.ts';
import { comparison } from '../../migration/compare/comparison.ts';
import { actionChange, actionLine, plan } from '../../migration/plan/plan-schemas.ts';
import { list, type Shapes } from './shapes.ts';

const shownAction = v.strictObject({ ...actionLine.entries, fields: described(text, 'separated by spaces') });

function planState(name: 'signed' | 'valid') {
  return v.strictObject({ directory: text, digest, [name]: v.literal(true) });
}

/** What the commands about plans, comparisons and the cut-over print. */
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
    ...lookFacts.entries,
  }),
  compare: { title: 'How file and tenant differ', document: comparison },
} as const satisfies Record<string, Shapes>;
