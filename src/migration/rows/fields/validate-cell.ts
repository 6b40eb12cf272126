import { type AttributeKind, genders } from '../../../contract/attributes.ts';
import { parseMobile } from '../../../contract/normal-forms.ts';
import { isDay } from '../../../contract/time.ts';
import type { HashedPassword } from '../../../contract/wire.ts';
import { foreignHash } from '../../hashes/foreign-schemes.ts';
import { looksLikeHash } from '../../hashes/formats.ts';
import { kindsOf } from '../../hashes/identify.ts';
import { notCharacter, undecodable } from '../../model/source-record.ts';
import type { IssueCode } from '../issues/issues.ts';

/** Returns the first issue of a cell that is not accepted, if there is one. The cell is not empty. */
export type CellCheck = (value: string, accepted: ReadonlySet<IssueCode>) => IssueCode | undefined;

/** A number in scientific notation. */
export const anyScientific = /^[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+$/;
/** Only with a plus or a fraction, as programs write numbers: `12e5` and `1234567e-1486` may be hexadecimal identifiers. */
const scientific = /^[+-]?(?:\d[eE]\+\d{1,3}|\d+[.,]\d+[eE][+-]?\d{1,3})$/;
/** How pandas and similar programs write whole numbers in a column with empty cells. */
const wholeDecimal = /^\d+\.0$/;
const decimal = /^[+-]?\d+[.,]\d+$/;
/** An address with nothing around it: not `<a@b>`, `mailto:a@b` or `a@b;`. */
const email = /^[^@\s<>():;,]+@[^@\s<>():;,]+$/;
const image = /^(?:https?:\/\/|data:image\/[^;,]+;base64,)/i;
const knownGenders = new Set<string>(genders);
/** Blanks at an end of a text. */
export const outerBlank = /^\s|\s$/;
/** The same, but for line breaks, which are the issue CONTROL_CHARACTER and may be meant in an address. */
const outerSpace = /^[^\S\r\n]|[^\S\r\n]$/;
/** Quotes and dashes of word processors, unusual spaces, and invisible characters. */
const typographic = /[\u00a0\u00ad\u2000-\u201f\u2028-\u202f\u2060\u3000]/;
const plain = /^[\x21-\x7e]+$/;

/** Checks a value that a person or a program must repeat exactly. */
function exact(value: string, accepted: ReadonlySet<IssueCode>): IssueCode | undefined {
  if (plain.test(value)) return undefined;
  if (typographic.test(value) && !accepted.has('TYPOGRAPHIC')) return 'TYPOGRAPHIC';
  return outerBlank.test(value) ? 'OUTER_BLANK' : undefined;
}

function text(value: string, accepted: ReadonlySet<IssueCode>): IssueCode | undefined {
  if (scientific.test(value)) return 'SCIENTIFIC';
  return outerSpace.test(value) && !accepted.has('OUTER_BLANK') ? 'OUTER_BLANK' : undefined;
}

/** Checks a value by which a user is looked up. */
function identifier(value: string, accepted: ReadonlySet<IssueCode>): IssueCode | undefined {
  if (wholeDecimal.test(value) && !accepted.has('WHOLE_DECIMAL')) return 'WHOLE_DECIMAL';
  return scientific.test(value) ? 'SCIENTIFIC' : exact(value, accepted);
}

/**
 * Checks that do not need the tenant's definition, which has lengths and patterns of its own (decision 25a). Damage that any text
 * can have is checked separately: see `textIssue`.
 */
export const cellChecks = {
  text,
  lines: text,
  identifier,
  name: (value) => (outerBlank.test(value) ? 'OUTER_BLANK' : undefined),
  userName: (value, accepted) =>
    identifier(value, accepted) ?? (/\s/.test(value) && !accepted.has('USER_NAME') ? 'USER_NAME' : undefined),
  email: (value, accepted) => exact(value, accepted) ?? (email.test(value) ? undefined : 'EMAIL'),
  mobile(value, accepted) {
    if (parseMobile(value)) return undefined;
    if (anyScientific.test(value)) return 'MOBILE_SCIENTIFIC';
    if (decimal.test(value)) return 'MOBILE_DECIMAL';
    return exact(value, accepted) ?? (accepted.has('MOBILE') ? undefined : 'MOBILE');
  },
  gender: (value) => (knownGenders.has(value) ? undefined : 'GENDER'),
  date: (value) => (isDay(value) ? undefined : 'BIRTHDAY'),
  image: (value) => (image.test(value) ? undefined : 'IMAGE'),
  flag: (value) => (value === 'true' || value === 'false' ? undefined : 'MUST_MODIFY'),
  algorithm: exact,
  value: exact,
  key: (value, accepted) =>
    typographic.test(value) && !accepted.has('TYPOGRAPHIC') ? 'TYPOGRAPHIC' : undefined,
} as const satisfies Record<AttributeKind | 'flag' | 'identifier' | 'name' | keyof HashedPassword, CellCheck>;

/**
 * Which damage is looked for in a cell. An `identifier` or a `name` is short and without punctuation of sentences, a `text` may be
 * anything, and a `word` is one of a few values.
 */
export type CellRole = 'identifier' | 'name' | 'text' | 'word' | 'hash' | 'key';

/** Most characters of a cell, enough for the largest image that a tenant can allow. */
const largestCell = 5 * 1024 * 1024;

const controlCharacter = /\p{Cc}/u;
const otherControlCharacter = /[^\P{Cc}\t\n\r]/u;
/**
 * ASCII that does not begin like a formula or an escaped one, and without ? % & and backslash, and telephone numbers: most cells need
 * no further check.
 */
const harmless =
  /^(?:[\x20\x22\x24\x28-\x2a\x2c-\x3c\x3e\x41-\x5b\x5d-\x7e][\x20-\x24\x27-\x3e\x40-\x5b\x5d-\x7e]*|\+\d[\d -]*)$/;

/** What databases, programs and spreadsheets write for "no value". `Null` is not among them, since it is also a surname. */
const nullMarkers = new Set(
  'NULL null \\N (null) (NULL) <null> <NULL> [NULL] [null] None <None> nil undefined N/A n/a NA NaN nan #NULL'.split(
    ' ',
  ),
);
const mayBeNullMarker = /^[nNu#\\(<[][^@\d]{1,8}$/;

/** True for a text that stands for "no value", in a cell or in a condition of a recipe. */
export function isNullMarker(text: string): boolean {
  return (mayBeNullMarker.test(text) && nullMarkers.has(text)) || isZeroDate(text);
}

const zeroDate = /^0000-00-00(?:[T ]00:00(?::00(?:\.0+)?)?)?$/;

/** True for the date that MySQL stores where there is none. */
export function isZeroDate(text: string): boolean {
  return zeroDate.test(text);
}

/** Years before 1902, in which calendars and clocks begin: of .NET, Windows, SQL Server, spreadsheets, and numbers of 32 bits. */
const early = '(?:0\\d{3}|1[0-8]\\d\\d|190[01])';
/** Such a day, and the first one of Unix, which is the one before west of Greenwich. */
const noDay = new RegExp(
  `^(?:${early}-\\d\\d-\\d\\d|\\d\\d?[./-]\\d\\d?[./-]${early}|1970-01-01|0?1[./-]0?1[./-]1970|1969-12-31|(?:31[./-]12|12[./-]31)[./-]1969)(?:$|[T ])`,
);

/** True for a day that programs write where there is none, and on which nothing but a birthday was. */
export function isNoDay(text: string): boolean {
  return noDay.test(text);
}

/** The second and later bytes of a UTF-8 character, read as Windows-1252. */
const tail =
  '[\\u0080-\\u00bf\\u20ac\\u201a\\u0192\\u201e\\u2026\\u2020\\u2021\\u02c6\\u2030\\u0160\\u2039\\u0152\\u017d\\u2018\\u2019\\u201c\\u201d\\u2022\\u2013\\u2014\\u02dc\\u2122\\u0161\\u203a\\u0153\\u017e\\u0178]';

/** Two question marks with at most blanks between them, or one inside a word in a text that is not a URL. */
const lostInText = /\?\s*\?|^[^/=:]*\p{L}\?\p{L}[^/=:]*$/u;

/** Characters escaped as in HTML, JSON, PHP or a URL, in a text that is not a URL; `\\\\server` is a Windows name. */
const escaped =
  /^(?!https?:).*?(?:&(?:#x?[0-9a-f]{1,6}|[a-z]{2,31}\d{0,2});|\\(?:['"]|u00[89a-f][0-9a-f]|u[0-9a-f]{4}\\u)|[^\\]\\\\|%(?:20|40|[c-e][0-9a-f]%[89ab][0-9a-f]))/is;

/** Damage that any text can have, limited to the `roles` if given. */
const textIssues: readonly { code: IssueCode; shape: RegExp; roles?: readonly CellRole[] }[] = [
  { code: 'ENCODING', shape: new RegExp(`[${undecodable}${notCharacter}]`) },
  { code: 'CONTROL_CHARACTER', shape: controlCharacter },
  { code: 'BYTE_ORDER_MARK', shape: /\ufeff/ },
  {
    code: 'FORMULA',
    shape: /^[=@]|^\+(?!\d[\d -]*$)|^#(?:[A-Z0-9/]+[!?]|N\/A$|#+$)|^Err:\d{3}$/,
    roles: ['identifier', 'name', 'text', 'word'],
  },
  {
    code: 'CHARACTERS_LOST',
    shape: /[\ufffd\p{Cs}]|锟斤拷/u,
    roles: ['identifier', 'name', 'text', 'word'],
  },
  { code: 'CHARACTERS_LOST', shape: /\?/, roles: ['name'] },
  { code: 'CHARACTERS_LOST', shape: lostInText, roles: ['identifier', 'text'] },
  { code: 'ESCAPED', shape: escaped, roles: ['identifier', 'name', 'text'] },
  // Exports write an apostrophe before a text, so that no spreadsheet takes it for a formula. A name may have one: 't Hooft.
  { code: 'ESCAPED', shape: /^'/, roles: ['identifier'] },
  { code: 'ESCAPED', shape: /^'[-=+@\t\r＝＋－＠]/, roles: ['name', 'text', 'word'] },
  {
    code: 'MOJIBAKE',
    // UTF-8 read as Windows-1252: accented, Greek and Cyrillic letters (two bytes), then all characters of three bytes.
    shape: new RegExp(`[\\u00c2-\\u00c5\\u00ce-\\u00d1]${tail}|[\\u00e2-\\u00ef]${tail}${tail}`),
    roles: ['identifier', 'name', 'text', 'word'],
  },
  {
    code: 'MOJIBAKE',
    // Chinese, Cyrillic, Greek or Thai bytes read as Windows-1252: no language has so many such letters in a row.
    shape: /(?=(?:[\u00a1-\u00bf]?[\u00c0-\u00ff]){3})[\u00a1-\u00ff]{4}/,
    roles: ['identifier', 'name', 'text'],
  },
];

/** Returns the first issue of a text that is not accepted. Hashes and keys are checked only for what no text may have. */
export function textIssue(
  text: string,
  role: CellRole,
  accepted: ReadonlySet<IssueCode>,
): IssueCode | undefined {
  if (text.length > largestCell) return 'CELL_TOO_LARGE';
  if (role !== 'key' && isNullMarker(text) && !accepted.has('NULL_MARKER')) return 'NULL_MARKER';
  if (harmless.test(text) && !text.startsWith('Err:')) return undefined;
  return textIssues.find(
    ({ code, shape, roles }) =>
      (roles?.includes(role) ?? true) && !isAccepted(code, text, role, accepted) && shape.test(text),
  )?.code;
}

/** True if the issue is accepted. Of control characters, only line breaks and tabs in a name or a text can be accepted. */
function isAccepted(
  code: IssueCode,
  text: string,
  role: CellRole,
  accepted: ReadonlySet<IssueCode>,
): boolean {
  if (!accepted.has(code)) return false;
  return (
    code !== 'CONTROL_CHARACTER' ||
    ((role === 'text' || role === 'name') && !otherControlCharacter.test(text))
  );
}

/** True for a text with a line break or another control character, which the API refuses nearly everywhere. */
export function hasControlCharacter(text: string): boolean {
  return controlCharacter.test(text);
}

/** True if a text has more than `most` characters; a surrogate pair counts as one. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && [...text].length > most;
}

/** Returns the value if it may be shown: in an invalid row it may be a hash, or a quote may have swallowed the next row. */
export function presentable(value: string | undefined): string | undefined {
  if (value === undefined || value.length > 500) return undefined;
  return hasControlCharacter(value) || mayBeHash(value) ? undefined : value;
}

/** True for a hash of any system. Forms that names and numbers have too, such as DES crypt or half of an MD5, do not count. */
function mayBeHash(text: string): boolean {
  if (looksLikeHash(text) || foreignHash(text) !== undefined) return true;
  return kindsOf(text).some(({ sure }) => sure !== 'possible');
}
