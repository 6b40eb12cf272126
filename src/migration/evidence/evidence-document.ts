import * as v from 'valibot';
import { hashAlgorithms } from '../../contract/attributes.ts';
import { count, described, digest, optional, text } from '../../contract/value-schemas.ts';
import type { JobStatus } from '../model/job-status.ts';
import { rowResults } from '../model/outcome.ts';
import type { Summary } from '../model/summary.ts';

/** Digests of the file, the options that change what is sent, the plan, the recipe, and the lists and reports of the job. */
export const evidenceDigests = v.strictObject({
  source: digest,
  options: v.exactOptional(digest),
  plan: v.exactOptional(digest),
  recipe: v.exactOptional(v.strictObject({ name: text, digest })),
  records: described(v.record(text, digest), 'lists and reports of the job, by file name'),
});

/** The first line of evidence: the result of a job. It contains no personal data. */
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

/** The outcome of a row. `key`, `user`: keyed fingerprints of the row's first identifier, and of the ID of its user. */
export const evidenceRow = v.strictObject({
  row: count,
  result: v.picklist(rowResults),
  algorithm: v.exactOptional(v.picklist(hashAlgorithms)),
  code: v.exactOptional(text),
  found_by_look_up: v.exactOptional(v.literal(true)),
  disabled: optional(v.literal(true), 'the user was disabled, as the file or the plan says'),
  key: optional(text, 'fingerprint of the first identifier of the row'),
  user: optional(text, 'fingerprint of the user id'),
  earlier: optional(v.literal(true), 'of the file as it was before it was corrected'),
});

export type EvidenceRow = v.InferOutput<typeof evidenceRow>;

/** The last line of the chain. */
export interface EvidenceEnd {
  end: true;
  /** Number of lines that are rows. */
  rows: number;
  /** True if a signature follows. */
  signed: boolean;
}

/** The line after the chain, if it is signed: `signature` signs the last link. */
export interface EvidenceSignature {
  signature: string;
  public_key: string;
}

export const lastLink = described(
  text,
  'the last link of the chain, which stands for every byte before it; base64url',
);

export const purgedJob = v.strictObject({
  job: text,
  purged_at: text,
  rows: count,
  evidence: described(text, 'file of the evidence'),
  digest: lastLink,
  deleted: described(v.array(text), 'files; the rows of the journal are deleted as well'),
  left: described(v.array(text), 'files that the job did not write'),
  beside: described(
    v.array(text),
    'files and directories beside that of the job whose names begin with that of its file, such as a comparison',
  ),
});

export type PurgedJob = v.InferOutput<typeof purgedJob>;
