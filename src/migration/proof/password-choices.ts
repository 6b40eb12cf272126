import { isUtf8 } from 'node:buffer';
import { type Choice, combine, right, simplest, wrong } from './choice.ts';
import type { MistakeCode } from './mistake-table.ts';

type Edit = (text: string) => string;
type Encode = (text: string, iconv: Iconv | undefined) => Buffer | undefined;
type Iconv = Pick<typeof import('iconv-lite'), 'encode' | 'decode'>;

/** What an old system may have done to the text of a password. */
const edits = {
  PASSWORD_LF: (text) => `${text}\n`,
  PASSWORD_CRLF: (text) => `${text}\r\n`,
  PASSWORD_BLANK_AFTER: (text) => `${text} `,
  PASSWORD_BLANK_BEFORE: (text) => ` ${text}`,
  PASSWORD_TRIMMED: (text) => text.trim(),
  PASSWORD_LOWER: (text) => text.toLowerCase(),
  PASSWORD_UPPER: (text) => text.toUpperCase(),
  PASSWORD_NFC: (text) => text.normalize('NFC'),
  PASSWORD_NFD: (text) => text.normalize('NFD'),
  PASSWORD_NUL: (text) => `${text}\0`,
} as const satisfies { [Code in MistakeCode]?: Edit };

/** Bytes of a password other than its UTF-8. */
const encodings = {
  PASSWORD_UTF16LE: (text) => Buffer.from(text, 'utf16le'),
  PASSWORD_UTF16BE: (text) => Buffer.from(text, 'utf16le').swap16(),
  PASSWORD_LATIN1: (text, iconv) => encodeBy(iconv, text, 'windows-1252'),
  PASSWORD_GBK: (text, iconv) => encodeBy(iconv, text, 'gbk'),
} as const satisfies { [Code in MistakeCode]?: Encode };

/**
 * The bytes that an old system may have hashed for a password, fewest mistakes first, each once. Bytes that are not
 * UTF-8 have no text to be changed: they stay as they are.
 */
export async function passwordChoices(password: Uint8Array | string): Promise<Choice<Buffer>[]> {
  const bytes = Buffer.from(password);
  if (!isUtf8(bytes)) return [right(bytes)];
  const given = bytes.toString('utf8');
  // ASCII is the same in these encodings, and their tables are large.
  const iconv = /^\p{ASCII}*$/u.test(given) ? undefined : (await import('iconv-lite')).default;
  const texts = [right(given), ...entriesOf(edits).flatMap(([code, edit]) => wrong(code, edit(given)))];
  const encoders: Choice<Encode>[] = [
    right((text) => Buffer.from(text, 'utf8')),
    ...entriesOf(encodings).flatMap(([code, encode]) => wrong<Encode>(code, encode)),
  ];
  const all = combine(texts, encoders, (text, encode) => encode(text, iconv));
  return simplest(all, (made) => made.toString('hex'));
}

/** Nothing for a text that the encoding has no letters for. */
function encodeBy(iconv: Iconv | undefined, text: string, encoding: string): Buffer | undefined {
  const bytes = iconv?.encode(text, encoding);
  return bytes && iconv?.decode(bytes, encoding) === text ? bytes : undefined;
}

function entriesOf<Row>(table: Partial<Record<MistakeCode, Row>>): [MistakeCode, Row][] {
  return Object.entries(table) as [MistakeCode, Row][];
}
