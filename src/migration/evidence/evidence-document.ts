import * as v from 'valibot';
import { hashAlgorithms } from '../../contract/attributes.ts';
import { count, described, digest, text } from '../../contract/value-schemas.ts';
import type { JobStatus } from '../model/job-status.ts';
import { rowResults } from '../model/outcome.ts';
import type { Summary } from '../model/summary.ts';

/** Of the file, of the options that change what is sent, of the plan, of what a recipe does, and of the lists and reports of the job. */
export const evidenceDigests = v.strictObject({
  source: digest,
  options: v.exactOptional(digest),
  plan: v.exactOptional(digest),
  recipe: v.exactOptional(v.strictObject({ name: text, digest })),
  records: described(v.record(text, digest), 'lists and reports of the job, by file name'),
});

/** The first line of evidence: what a job came to. No personal data is in it. */
export interface EvidenceHead {
  evidence: 1;
  /** Version of the program. */
  program: string;
  packed_at: string;
  job: JobStatus;
  codes: Summary['codes'];
  by_algorithm: Summary['by_algorithm'];
  digests: v.InferOutput<typeof evidenceDigests>;
  runs: { started_at: string; seconds: number | null; note: string }[];
  /** SHA-256 of the key of the fingerprints, which is not in the evidence. */
  fingerprint_key: string;
}

/** What became of a row. `key`, `user`: keyed fingerprints of the row's first identifier, and of the id of its user. */
export const evidenceRow = v.strictObject({
  row: count,
  result: v.picklist(rowResults),
  algorithm: v.exactOptional(v.picklist(hashAlgorithms)),
  code: v.exactOptional(text),
  found_by_look_up: v.exactOptional(v.literal(true)),
  key: v.exactOptional(described(text, 'fingerprint of the first identifier of the row')),
  user: v.exactOptional(described(text, 'fingerprint of the user id')),
  earlier: v.exactOptional(described(v.literal(true), 'of the file as it was before it was corrected')),
});

export type EvidenceRow = v.InferOutput<typeof evidenceRow>;

/** The last line of the chain. */
export interface EvidenceEnd {
  end: true;
  /** Lines of rows. */
  rows: number;
  /** A signature follows. */
  signed: boolean;
}

/** Behind the chain, where it is signed: `signature` is of the last link. */
export interface EvidenceSignature {
  signature: string;
  public_key: string;
}

export const lastLink = described(
  text,
  'the last link of the chain, which stands for every byte before it; base64url',
);

/** What is left of a job without its personal data. */
export const purgedJob = v.strictObject({
  job: text,
  purged_at: text,
  rows: count,
  evidence: described(text, 'file of the evidence'),
  digest: lastLink,
  deleted: described(v.array(text), 'files; the rows of the journal are deleted as well'),
  left: described(v.array(text), 'files that are not of this program'),
});

export type PurgedJob = v.InferOutput<typeof purgedJob>;
