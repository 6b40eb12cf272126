import { createHash } from 'node:crypto';
import type { HashAlgorithm } from '../../contract/attributes.ts';
import { fingerprint } from '../actions/fingerprints.ts';
import { type KeyField, keyFields, rowKey } from '../actions/keys.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { Summary } from '../model/summary.ts';
import type { JobStatus } from '../records/job-status.ts';

/** The first line of evidence: what a job came to. No personal data is in it. */
export interface EvidenceHead {
  evidence: 1;
  /** Version of the program. */
  program: string;
  packed_at: string;
  job: JobStatus;
  codes: Summary['codes'];
  by_algorithm: Summary['by_algorithm'];
  /** SHA-256, hex: of the file, of the options that change what is sent, of the plan, of what a recipe does, and of the lists and reports of the job. */
  digests: {
    source: string;
    options?: string;
    plan?: string;
    recipe?: { name: string; digest: string };
    records: Readonly<Record<string, string>>;
  };
  runs: { started_at: string; seconds: number | null; note: string }[];
  /** SHA-256 of the key of the fingerprints, which is not in the evidence. */
  fingerprint_key: string;
}

/** What became of a row. `key`, `user`: keyed fingerprints of the row's first identifier, and of the id of its user. */
export interface EvidenceRow {
  row: number;
  result: FinalOutcome['result'];
  algorithm?: HashAlgorithm;
  code?: string;
  found_by_look_up?: true;
  key?: string;
  user?: string;
  /** Of the file as it was before it was corrected. */
  earlier?: true;
}

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

/** The link of a line binds it to all lines before it. */
export function linkOf(previous: string, body: Uint8Array | string): string {
  return createHash('sha256').update(previous).update('\n').update(body).digest('base64url');
}

const before = ',"link":"';
const tailLength = before.length + 43 + '"}'.length;

/** A line of the chain, with its link at its end. */
export function chainLine(previous: string, body: object): { line: string; link: string } {
  const text = JSON.stringify(body);
  const link = linkOf(previous, text);
  return { line: `${text.slice(0, -1)}${before}${link}"}\n`, link };
}

/** Takes a line apart; `undefined` where it has no link. */
export function splitLine(line: Buffer): { body: Buffer; link: string } | undefined {
  const tail = line.subarray(-tailLength).toString('latin1');
  if (line.length <= tailLength || !tail.startsWith(before) || !tail.endsWith('"}')) return undefined;
  const body = Buffer.concat([line.subarray(0, -tailLength), Buffer.from('}')]);
  return { body, link: tail.slice(before.length, -2) };
}

/** What a signature is of: nothing else that this program signs can be taken for it. */
export function signedText(link: string): Buffer {
  return Buffer.from(`tenant-users evidence 1\n${link}\n`);
}

/** The fingerprint of an identifier such as `user_name=ann` or `user_id=…`, as rows have it. */
export function fingerprintOf(identifier: string, key: string): string {
  const at = identifier.indexOf('=');
  const [name, value] = [identifier.slice(0, at), identifier.slice(at + 1)];
  if (name === 'user_id') return fingerprint(key, 'id', value);
  const field = keyFields.find((known) => known === name) as KeyField | undefined;
  return fingerprint(key, 'key', (field && rowKey({ [field]: value })) ?? identifier);
}
