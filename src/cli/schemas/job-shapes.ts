import * as v from 'valibot';
import { count, described, digest, optional, text, textOrNull } from '../../contract/value-schemas.ts';
import { lookFacts, standing } from '../../migration/cohort/cutover-look.ts';
import { comparison } from '../../migration/compare/comparison.ts';
import {
  evidenceDigests,
  evidenceRow,
  lastLink,
  purgedJob,
} from '../../migration/evidence/evidence-document.ts';
import { jobStatus, jobTarget } from '../../migration/model/job-status.ts';
import { actionChange, actionLine, plan } from '../../migration/plan/document/plan-schemas.ts';
import { listedJob, loggedChange } from '../log/read-log.ts';
import { list, type Shapes } from './shapes.ts';

const shownAction = v.strictObject({ ...actionLine.entries, fields: described(text, 'separated by spaces') });

function planState(name: 'signed' | 'valid') {
  return v.strictObject({ directory: text, digest, [name]: v.literal(true) });
}

export const jobShapes = {
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
  'import-hashes status': {
    title: 'How a job stands',
    document: v.strictObject({
      ...jobStatus.entries,
      next: described(
        v.array(v.strictObject({ text, command: v.exactOptional(text) })),
        'what to do, the most urgent first',
      ),
    }),
  },
  runs: list('The jobs of this account on this machine', 'jobs', listedJob, {
    total: described(count, 'jobs that there are'),
  }),
  log: list('What this account changed from this machine', 'changes', loggedChange, {
    total: described(count, 'changes that there are'),
    unsearched_runs: described(count, 'with --user: runs of whose users there is no list'),
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
      job: jobStatus,
      digests: evidenceDigests,
      found: optional(v.array(evidenceRow), 'only with --find'),
    }),
  },
  'job retarget': {
    title: 'A job whose tenant has another address or application',
    document: v.strictObject({
      job: text,
      former_target: jobTarget,
      target: jobTarget,
      users: described(count, 'users of the job that were looked up, and found'),
    }),
  },
  'job purge': { title: 'What is left of a job', document: purgedJob },
} as const satisfies Record<string, Shapes>;
