import { isUtf8 } from 'node:buffer';
import { digestMatches } from '../../text/hash-forms.ts';
import type { MistakeCode } from './mistakes.ts';
import { combine, expected, mistakenBy, simplest, type Variant } from './variants.ts';

type Edit = (text: string) => string;
type Encode = (text: string, iconv: Iconv | undefined) => Buffer | undefined;
type Iconv = Pick<typeof import('iconv-lite'), 'encode' | 'decode'>;

/** How `htmlspecialchars` of PHP writes these signs, by default before version 8.1. */
const htmlOf: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Changes that an old system may have made to the text of a password. */
const edits: { readonly [Code in MistakeCode]?: Edit } = {
  PASSWORD_LF: (text) => `${text}\n`,
  PASSWORD_CRLF: (text) => `${text}\r\n`,
  PASSWORD_BLANK_AFTER: (text) => `${text} `,
  PASSWORD_BLANK_BEFORE: (text) => ` ${text}`,
  PASSWORD_TRIMMED: (text) => text.trim(),
  PASSWORD_SLASHED: (text) => text.replace(/['"\\]/g, '\\$&'),
  PASSWORD_HTML: (text) => text.replace(/[&<>"]/g, (sign) => htmlOf[sign] ?? sign),
  PASSWORD_LOWER: (text) => text.toLowerCase(),
  PASSWORD_UPPER: (text) => text.toUpperCase(),
  PASSWORD_NFC: (text) => text.normalize('NFC'),
  PASSWORD_NFD: (text) => text.normalize('NFD'),
  PASSWORD_NUL: (text) => `${text}\0`,
};

/** Encodings of a password other than UTF-8. */
const encodings: { readonly [Code in MistakeCode]?: Encode } = {
  PASSWORD_UTF16LE: (text) => Buffer.from(text, 'utf16le'),
  PASSWORD_UTF16BE: (text) => Buffer.from(text, 'utf16le').swap16(),
  PASSWORD_LATIN1: (text, iconv) => encodeBy(iconv, text, 'windows-1252'),
  PASSWORD_GBK: (text, iconv) => encodeBy(iconv, text, 'gbk'),
};

/**
 * Returns the bytes that an old system may have hashed for a password, fewest mistakes first, each once. Bytes that are not UTF-8
 * cannot be changed as text, so they have no variants.
 */
export async function passwordVariants(password: Uint8Array | string): Promise<Variant<Buffer>[]> {
  const bytes = Buffer.from(password);
  if (!isUtf8(bytes)) return [expected(bytes)];
  const given = bytes.toString('utf8');
  // Loaded only for non-ASCII passwords, since its tables are large: ASCII is the same in these encodings.
  const iconv = /^\p{ASCII}*$/u.test(given) ? undefined : (await import('iconv-lite')).default;
  const texts = [expected(given), ...mistakenBy(edits, (edit) => edit(given))];
  const encoders: Variant<Encode>[] = [
    expected((text) => Buffer.from(text, 'utf8')),
    ...mistakenBy(encodings, (encode) => encode),
  ];
  const all = combine(texts, encoders, (text, encode) => encode(text, iconv));
  return simplest(all, (made) => made.toString('hex'));
}

/** Encodes a text; `undefined` if the encoding lacks one of its characters. */
function encodeBy(iconv: Iconv | undefined, text: string, encoding: string): Buffer | undefined {
  const bytes = iconv?.encode(text, encoding);
  return bytes && iconv?.decode(bytes, encoding) === text ? bytes : undefined;
}

type Repair = (value: string) => string;

/** Returns true if the text `value` stands for the digest. */
export type Matcher = (digest: Buffer, value: string) => boolean;

const labels =
  /^(?:\{[\w.-]{1,20}\}|(?:md-?5|sha-?(?:1|256|512)|hmac(?:-?sha-?256)?|bcrypt)[:=]|bcrypt\$(?=\$2)|0x|\\x)/i;

/** Each undoes a kind of damage that an export may have done to the text of a hash. */
const repairs: { readonly [Code in MistakeCode]?: Repair } = {
  VALUE_BLANKS: (value) => value.replace(/[\s\p{Cf}]/gu, ''),
  VALUE_QUOTED: (value) => /^(["'`])(.*)\1$/.exec(value)?.[2] ?? /^[“‘«](.*)[”’»]$/.exec(value)?.[1] ?? value,
  VALUE_LABEL: (value) => (/^\{bcrypt\}\$2/i.test(value) ? value : value.replace(labels, '')),
  VALUE_SEPARATORS: (value) =>
    /^[0-9a-f]+(?:[:-][0-9a-f]+)+$/i.test(value) ? value.replace(/[:-]/g, '') : value,
  VALUE_ESCAPED: unescaped,
  VALUE_PLUS_LOST: (value) => value.replaceAll(' ', '+'),
  VALUE_BASE64URL: (value) => value.replaceAll('-', '+').replaceAll('_', '/'),
};

/** Returns the texts that the value may have been before it was damaged, fewest mistakes first, each once. */
export function valueTexts(value: string): Variant<string>[] {
  const one = [expected(value), ...repaired(value)];
  const two = one.flatMap((variant) => combine([variant], repaired(variant.value), (_, text) => text));
  return simplest([...one, ...two], (text) => text);
}

function repaired(value: string): Variant<string>[] {
  return mistakenBy(repairs, (repair) => repair(value));
}

function unescaped(value: string): string {
  return value
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&#x([0-9a-f]{1,2});/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\([/$+=.])/g, '$1');
}

/** Fewest characters of a cut hash that count as evidence: 64 bits. */
const leastHex = 16;
const leastBase64 = 11;

/** Wrong ways in which a digest may have been turned into a text. */
const spoiled: { readonly [Code in MistakeCode]?: Matcher } = {
  VALUE_HEX_IN_BASE64: (digest, value) => digestMatches(digest, decoded(value, 'base64')),
  VALUE_TEXT_IN_HEX: (digest, value) => digestMatches(digest, decoded(value, 'hex')),
  VALUE_HEX_AS_BASE64: (digest, value) => digestMatches(Buffer.from(digest.toString('hex'), 'base64'), value),
  VALUE_CASE: (digest, value) =>
    (value === value.toLowerCase() || value === value.toUpperCase()) &&
    digest.toString('base64').toLowerCase() === value.toLowerCase(),
  VALUE_CUT: isCutFrom,
};

/** How a digest may have been turned into a text; the first is the expected way. */
export const matchers: readonly Variant<Matcher>[] = [
  expected(digestMatches),
  ...mistakenBy(spoiled, (matches) => matches),
];

function decoded(value: string, encoding: 'hex' | 'base64'): string {
  return Buffer.from(value, encoding).toString('latin1').trim();
}

function isCutFrom(digest: Buffer, value: string): boolean {
  const asHex = digest.toString('hex');
  const asBase64 = digest.toString('base64').replaceAll('=', '');
  const cutHex =
    value.length >= leastHex && value.length < asHex.length && asHex.startsWith(value.toLowerCase());
  const cutBase64 =
    value.length >= leastBase64 && value.length < asBase64.length && asBase64.startsWith(value);
  return cutHex || cutBase64;
}
