import * as v from 'valibot';
import { count, described, optional, text, textOrNull } from '../../contract/value-schemas.ts';
import {
  evidenceDigests,
  evidenceRow,
  lastLink,
  purgedJob,
} from '../../migration/evidence/evidence-document.ts';
import { jobStatus } from '../../migration/model/job-status.ts';
import { listedJob, loggedChange } from '../log/log-documents.ts';
import { list, type Shapes } from './shapes.ts';

/** What the commands about jobs print. */
export const jobShapes = {
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
  'job purge': { title: 'What is left of a job', document: purgedJob },
} as const satisfies Record<string, Shapes>;
