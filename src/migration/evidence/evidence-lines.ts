import { createHash, type KeyObject } from 'node:crypto';
import { parseMobile } from '../../contract/normal-forms.ts';
import { fingerprint } from '../actions/fingerprints.ts';
import { formsOfMobile, keyFields, rowKey } from '../actions/keys.ts';

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

/** An identifier that evidence can be searched for. */
export type SoughtIdentifier = NonNullable<ReturnType<typeof readIdentifier>>;

/** Reads a text such as `user_name=ann` or `user_id=…`; `undefined` if its name is unknown or it has no value. */
export function readIdentifier(text: string) {
  const [, given = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const name = (['user_id', ...keyFields] as const).find((one) => one === given);
  return name === undefined || value === '' ? undefined : { name, value };
}

/**
 * Returns the fingerprints that an identifier may have in the rows of evidence: a file can have a mobile number in several forms.
 */
export function fingerprintsOf({ name, value }: SoughtIdentifier, key: string): Set<string> {
  if (name === 'user_id') return new Set([fingerprint(key, 'id', value)]);
  const mobile = name === 'mobile' ? parseMobile(value) : undefined;
  const forms = mobile ? formsOfMobile(mobile) : [value];
  return new Set(forms.map((form) => fingerprint(key, 'key', rowKey({ [name]: form }) ?? '')));
}
