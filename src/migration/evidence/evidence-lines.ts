import { createHash, type KeyObject } from 'node:crypto';
import { fingerprint } from '../actions/fingerprints.ts';
import { type KeyField, keyFields, rowKey } from '../actions/keys.ts';

/** Returns the link of a line, which binds it to all lines before it. */
export function linkOf(previous: string, body: Uint8Array | string): string {
  return createHash('sha256').update(previous).update('\n').update(body).digest('base64url');
}

const before = ',"link":"';
const tailLength = before.length + 43 + '"}'.length;

/** Returns a line of the chain that ends with its link, and the link. */
export function chainLine(previous: string, body: object): { line: string; link: string } {
  const text = JSON.stringify(body);
  const link = linkOf(previous, text);
  return { line: `${text.slice(0, -1)}${before}${link}"}\n`, link };
}

/** Splits a line into body and link; `undefined` if it has no link. */
export function splitLine(line: Buffer): { body: Buffer; link: string } | undefined {
  const tail = line.subarray(-tailLength).toString('latin1');
  if (line.length <= tailLength || !tail.startsWith(before) || !tail.endsWith('"}')) return undefined;
  const body = Buffer.concat([line.subarray(0, -tailLength), Buffer.from('}')]);
  return { body, link: tail.slice(before.length, -2) };
}

/** Returns the text that is signed, which cannot be mistaken for anything else that this program signs. */
export function signedText(link: string): Buffer {
  return Buffer.from(`tenant-users evidence 1\n${link}\n`);
}

/** Returns a public key as in evidence: DER in base64. */
export function publicText(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Returns the fingerprint of an identifier such as `user_name=ann` or `user_id=…`, as in the rows of evidence. */
export function fingerprintOf(identifier: string, key: string): string {
  const at = identifier.indexOf('=');
  const [name, value] = [identifier.slice(0, at), identifier.slice(at + 1)];
  if (name === 'user_id') return fingerprint(key, 'id', value);
  const field = keyFields.find((known) => known === name) as KeyField | undefined;
  return fingerprint(key, 'key', (field && rowKey({ [field]: value })) ?? identifier);
}
