import { isUtf8 } from 'node:buffer';
import { SourceError } from '../model/errors.ts';
import { convertCommand, type EncodingName, encodings, notOfEncoding } from './encodings.ts';
import { createUtf8Check } from './to-utf8.ts';

const marked = ['utf-8', 'utf-16le', 'utf-16be'] as const;

/** The encoding that the beginning of a file shows: by its mark, or by its zeros (UTF-16 without a mark). */
export function markedEncoding(file: string, head: Buffer): EncodingName | undefined {
  if (startsWith(head, [0xff, 0xfe, 0, 0]) || startsWith(head, [0, 0, 0xfe, 0xff])) {
    throw new SourceError(
      file,
      `the text is UTF-32, which is not supported; convert a copy: ${convertCommand('UTF-32')}`,
    );
  }
  return marked.find((name) => startsWith(head, encodings[name].bom)) ?? halfOfZeros(head);
}

/** Begins to read a file from its first byte. */
type ReadBytes = () => AsyncIterable<Buffer>;

/** What the bytes of a file were found to be. */
interface FoundEncoding {
  encoding: EncodingName;
  /** The file as a whole is of the encoding, and some of its lines are not. */
  isLenient: boolean;
}

/**
 * Finds the encoding of a file without a mark by all its bytes. Rejects with a `SourceError` when it cannot be found: an
 * import cannot be undone, and a wrong guess spoils every name.
 */
export async function detectEncoding(file: string, read: ReadBytes): Promise<FoundEncoding> {
  const fault = await findFault(read);
  if (!fault) return { encoding: 'utf-8', isLenient: false };
  if (fault.hasZero || fault.atEnd) throw notOfEncoding(file, 'utf-8', fault.line);
  const found = await findLegacyEncoding(read());
  if (found === 'mixed') return { encoding: 'utf-8', isLenient: true };
  if (found !== 'unknown') return { encoding: found, isLenient: false };
  const text =
    'the text is not UTF-8, and its encoding cannot be detected; name it (--encoding gb18030, --encoding windows-1252, --encoding windows-1250, --encoding big5, --encoding shift_jis, --encoding euc-kr …), or convert a copy with iconv';
  throw new SourceError(file, text, fault.line);
}

/** Where a file stops being UTF-8. Lines are counted only up to the fault. */
async function findFault(read: ReadBytes) {
  const check = createUtf8Check();
  let before = 0;
  for await (const block of read()) {
    const lines = check.fault(block);
    if (lines !== undefined) {
      return { line: (await lineAt(read, before)) + lines, hasZero: block.includes(0), atEnd: false };
    }
    before += block.length;
  }
  return check.endsEarly() ? { line: await lineAt(read, before), hasZero: false, atEnd: true } : undefined;
}

/** Physical line, from 1, on which the byte at `position` lies. */
async function lineAt(read: ReadBytes, position: number): Promise<number> {
  let line = 1;
  let before = 0;
  let last = 0;
  for await (const block of read()) {
    for (const byte of block.subarray(0, position - before)) {
      if (byte === 13 || (byte === 10 && last !== 13)) line += 1;
      last = byte;
    }
    before += block.length;
    if (before >= position) return line;
  }
  return line;
}

function startsWith(bytes: Buffer, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** A header is mostly ASCII, of which UTF-16 makes every second byte zero: always the same half of the pair. */
function halfOfZeros(head: Buffer): EncodingName | undefined {
  const zeros = [0, 0];
  for (let index = 0; index < head.length; index += 1) {
    if (head[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const many = head.length / 8;
  if (odd > many && even * 50 < odd) return 'utf-16le';
  return even > many && odd * 50 < even ? 'utf-16be' : undefined;
}

/** Two-byte characters of GB 18030, and high bytes that stand alone as accented letters of Windows-1252 do. */
interface Signs {
  /** Bytes from 0x80. */
  high: number;
  /** Among them: those that belong to well-formed UTF-8 characters. */
  utf8: number;
  /** Pairs that GB 18030 reads as one of the 3755 usual characters or as Chinese punctuation. */
  usual: number;
  /** Usual characters from the end of the alphabet; Korean and Japanese text, which look alike, have hardly any. */
  late: number;
  /** Letters of Windows-1252. */
  letters: number;
  /** Among them: those between two ASCII characters. */
  alone: number;
  /** Among the high bytes: those that Western names hardly have, and others are full of: ł š ž ğ ş ı ţ. */
  eastern: number;
  /** Among them: õ and û, which are ő and ű in Hungary. */
  hungarian: number;
  /** Among them: ã, which Portuguese has more often than õ. */
  tilde: number;
  /** Bytes that Windows-1252 does not have. */
  foreign: number;
  gbFaults: number;
}

/** What the bytes of a file that is not UTF-8 were found to be, or why it is not known. */
type LegacyEncoding = 'gb18030' | 'windows-1252' | 'mixed' | 'unknown';

/**
 * Looks at every byte of a file that is not UTF-8. It takes a clear majority of signs for one encoding, and the
 * other one must not be plausible.
 */
async function findLegacyEncoding(chunks: AsyncIterable<Buffer>): Promise<LegacyEncoding> {
  const signs: Signs = {
    high: 0,
    utf8: 0,
    usual: 0,
    late: 0,
    letters: 0,
    alone: 0,
    eastern: 0,
    hungarian: 0,
    tilde: 0,
    foreign: 0,
    gbFaults: 0,
  };
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    // No character spans an ASCII control character or comma, so lines are cut at the last line end.
    const end = bytes.lastIndexOf(10) + 1 || bytes.lastIndexOf(13) + 1 || bytes.length;
    look(bytes.subarray(0, end), signs);
    rest = Buffer.from(bytes.subarray(end));
  }
  look(rest, signs);
  return judge(signs);
}

/**
 * Polish, Czech, Turkish and their neighbours have most letters where Windows-1252 has others, so that every name would look like
 * one of somebody else: Kamiñski for Kamiński.
 */
const mostEastern = 0.04;

function judge(signs: Signs): LegacyEncoding {
  const { high, utf8, usual, late, letters, alone, foreign, gbFaults } = signs;
  const eastern = signs.eastern + Math.max(signs.hungarian - signs.tilde, 0);
  if (utf8 * 2 > high) return 'mixed';
  // A word or two whose bytes are all letters may be of another alphabet; Chinese text soon has other bytes too.
  const chinese =
    gbFaults === 0 &&
    usual * 2 >= high * 0.8 &&
    (usual >= 5 || letters <= high * 0.85) &&
    late * 25 >= Math.max(usual, 1);
  const western =
    foreign === 0 && alone >= high * 0.5 && usual * 2 <= high * 0.3 && eastern <= high * mostEastern;
  if (chinese === western) return 'unknown';
  return chinese ? 'gb18030' : 'windows-1252';
}

/** Ð Ý Þ ð ý þ of Iceland are İ Ş ğ ı ş of Turkey, ţ of Romania, š ž of the Baltic, and Czech ý. */
const easternLetters = new Set([0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe]);
/** Š Ž š ž, and ź instead of Ÿ. */
const lowLetters = new Set([0x8a, 0x8e, 0x9a, 0x9e, 0x9f]);
/** Beside a letter they are right in Spanish (ª º), Catalan (·), as an apostrophe (´) or as quotes («»); so are blanks and degrees. */
const usualSigns = new Set([0xa0, 0xa8, 0xaa, 0xab, 0xb0, 0xb4, 0xb7, 0xb8, 0xba, 0xbb]);

/** A letter of another alphabet than that of Windows-1252, or one that it seldom needs; a sign inside a word is such a letter. */
function isEastern(byte: number, before = 0, after = 0): boolean {
  if (byte >= 0xc0) return easternLetters.has(byte);
  if (byte < 0xa0) return lowLetters.has(byte);
  return !usualSigns.has(byte) && (isLetter(before) || isLetter(after));
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

function look(bytes: Buffer, signs: Signs): void {
  lookForGb(bytes, signs);
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80) continue;
    signs.high += 1;
    if (byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d) signs.foreign += 1;
    if (byte >= 0xc0 || (byte >= 0x8a && byte <= 0x9f) || byte === 0xa0) signs.letters += 1;
    if (isEastern(byte, bytes[index - 1], bytes[index + 1])) signs.eastern += 1;
    if (byte === 0xf5 || byte === 0xfb || byte === 0xd5 || byte === 0xdb) signs.hungarian += 1;
    if (byte === 0xe3 || byte === 0xc3) signs.tilde += 1;
    // Below 0xC0 Windows-1252 has few letters, and Shift_JIS the first halves of most characters.
    if (byte >= 0xc0 && (bytes[index - 1] ?? 0) < 0x80 && (bytes[index + 1] ?? 0) < 0x80) signs.alone += 1;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (byte >= 0xc2 && isUtf8(bytes.subarray(index, index + length))) signs.utf8 += length;
  }
}

function lookForGb(bytes: Buffer, signs: Signs): void {
  for (let index = 0; index < bytes.length; index += 1) {
    const lead = bytes[index] ?? 0;
    if (lead < 0x80) continue;
    const trail = bytes[index + 1] ?? 0;
    index += 1;
    if (lead === 0x80 || lead === 0xff) signs.gbFaults += 1;
    else if (trail >= 0x30 && trail <= 0x39) index += 2;
    else if (trail < 0x40 || trail === 0x7f || trail === 0xff) signs.gbFaults += 1;
    else if (trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || lead === 0xa1 || lead === 0xa3)) {
      signs.usual += 1;
      if (lead >= 0xd0) signs.late += 1;
    }
  }
}
