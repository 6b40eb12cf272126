import { type Choice, combine, right, simplest, wrong } from './choice.ts';
import type { MistakeCode } from './mistake-table.ts';
import { valueMatches } from './value-matches.ts';

type Mend = (value: string) => string;

/** Compares a text with a digest that it may stand for. */
export type Matcher = (digest: Buffer, value: string) => boolean;

const labels = /^(?:\{[\w.-]{1,20}\}|(?:md-?5|sha-?(?:1|256|512)|hmac(?:-?sha-?256)?|bcrypt)[:=]|0x|\\x)/i;

/** What may have happened to the text of a hash on its way, undone. */
const mends = {
  VALUE_BLANKS: (value) => value.replace(/[\s\p{Cf}]/gu, ''),
  VALUE_QUOTED: (value) => /^(["'`])(.*)\1$/.exec(value)?.[2] ?? /^[“‘«](.*)[”’»]$/.exec(value)?.[1] ?? value,
  VALUE_LABEL: (value) => (/^\{bcrypt\}\$2/i.test(value) ? value : value.replace(labels, '')),
  VALUE_SEPARATORS: (value) =>
    /^[0-9a-f]+(?:[:-][0-9a-f]+)+$/i.test(value) ? value.replace(/[:-]/g, '') : value,
  VALUE_ESCAPED: unescaped,
  VALUE_PLUS_LOST: (value) => value.replaceAll(' ', '+'),
  VALUE_BASE64URL: (value) => value.replaceAll('-', '+').replaceAll('_', '/'),
} as const satisfies { [Code in MistakeCode]?: Mend };

/** Texts that the value may have been before it was damaged, fewest mistakes first, each once. */
export function valueTexts(value: string): Choice<string>[] {
  const one = [right(value), ...mended(value)];
  const two = one.flatMap((choice) => combine([choice], mended(choice.value), (_, text) => text));
  return simplest([...one, ...two], (text) => text);
}

function mended(value: string): Choice<string>[] {
  return Object.entries(mends).flatMap(([code, mend]) => wrong(code as MistakeCode, mend(value)));
}

function unescaped(value: string): string {
  return value
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&#x([0-9a-f]{1,2});/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\([/$+=.])/g, '$1');
}

/** Fewest characters of a cut hash that prove something: 64 bits. */
const leastHex = 16;
const leastBase64 = 11;

/** How a digest may have been turned into a text; the first is the right way. */
export const matchers: readonly Choice<Matcher>[] = [
  right(valueMatches),
  ...wrong<Matcher>('VALUE_HEX_IN_BASE64', (digest, value) => valueMatches(digest, decoded(value, 'base64'))),
  ...wrong<Matcher>('VALUE_TEXT_IN_HEX', (digest, value) => valueMatches(digest, decoded(value, 'hex'))),
  ...wrong<Matcher>('VALUE_HEX_AS_BASE64', (digest, value) =>
    valueMatches(Buffer.from(digest.toString('hex'), 'base64'), value),
  ),
  ...wrong<Matcher>('VALUE_CASE', (digest, value) => {
    const lost = value === value.toLowerCase() || value === value.toUpperCase();
    return lost && digest.toString('base64').toLowerCase() === value.toLowerCase();
  }),
  ...wrong<Matcher>('VALUE_CUT', (digest, value) => isCutFrom(digest, value)),
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
