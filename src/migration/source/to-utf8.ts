import { isAscii, isUtf8 } from 'node:buffer';
import { type Utf8Chunks, undecodable } from '../model/source-record.ts';
import { type Encoding, type EncodingName, encodings, notOfEncoding, withNul } from './encodings.ts';
import { hideUtf8Lines } from './utf8-lines.ts';

const lineFeed = 10;
const carriageReturn = 13;

/** Thrown for bytes that are not in the encoding. The reader of the chunks, which counts lines, reports the line. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError';
}

/** Counts of non-ASCII lines in a lenient reading: those with undecodable bytes, and all others. */
interface DecodedCounts {
  undecodable: number;
  others: number;
}

/**
 * Decodes the chunks of a file to UTF-8; those of a UTF-8 file pass unchecked. Yields everything before the first bytes that are
 * not in the encoding, then throws an `UndecodableError`. With `counts` it is lenient: it writes the character `undecodable` for
 * such bytes, continues, and counts. Lines in UTF-8 are not in an East Asian encoding, whatever their bytes would be there.
 */
export function toUtf8(chunks: Utf8Chunks, encoding: EncodingName, counts?: DecodedCounts): Utf8Chunks {
  if (encoding === 'utf-8') return counts ? markBadUtf8(chunks, counts) : chunks;
  return transcode(chunks, encoding, counts);
}

async function* transcode(
  chunks: Utf8Chunks,
  encoding: EncodingName,
  counts: DecodedCounts | undefined,
): AsyncGenerator<Buffer, void> {
  const decoder = await decoderOf(encoding);
  const pass = (text: string) => (counts ? [Buffer.from(marked(text, counts))] : checked(text));
  const { isWide }: Encoding = encodings[encoding];
  for await (const chunk of isWide ? hideUtf8Lines(chunks) : chunks) yield* pass(decoder.write(chunk));
  yield* pass(decoder.end() ?? '');
}

function* checked(text: string): Generator<Buffer, void> {
  const fault = text.isWellFormed() ? text.indexOf('\uFFFD') : text.toWellFormed().indexOf('\uFFFD');
  if (fault === -1) {
    if (text !== '') yield Buffer.from(text);
    return;
  }
  if (fault > 0) yield Buffer.from(text.slice(0, fault));
  throw new UndecodableError('bytes that are not of the encoding');
}

/** Replaces U+FFFD with `undecodable`, and counts the lines. */
function marked(text: string, counts: DecodedCounts): string {
  for (const line of text.split('\n')) {
    if (line.includes('\uFFFD')) counts.undecodable += 1;
    else if (/[^\0-\x7f]/.test(line)) counts.others += 1;
  }
  return text.replaceAll('\uFFFD', undecodable);
}

/** Decodes only lines that are not valid UTF-8: a U+FFFD in a valid line belongs to the text. */
async function* markBadUtf8(chunks: Utf8Chunks, counts: DecodedCounts): AsyncGenerator<Buffer, void> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.length - unfinished(bytes);
    rest = Buffer.from(bytes.subarray(end));
    yield markedUtf8(bytes.subarray(0, end), counts);
  }
  // A file that ends inside a character was cut short: more than that character is missing.
  if (rest.length > 0) throw new UndecodableError('the end of a character is missing');
}

function markedUtf8(bytes: Buffer, counts: DecodedCounts): Buffer {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start) + 1 || bytes.length;
    const line = bytes.subarray(start, end);
    start = end;
    if (isUtf8(line)) {
      if (!isAscii(line)) counts.others += 1;
      lines.push(line);
    } else lines.push(Buffer.from(marked(line.toString(), counts)));
  }
  return Buffer.concat(lines);
}

/** Creates what decodes bytes chunk by chunk; `end` returns the remainder. Undecodable bytes become U+FFFD. */
async function decoderOf(encoding: EncodingName) {
  const { bom, iconv = encoding }: Encoding = encodings[encoding];
  if (bom) {
    const own = new TextDecoder(encoding, { ignoreBOM: true });
    return { write: (chunk: Buffer) => own.decode(chunk, { stream: true }), end: () => own.decode() };
  }
  const { default: library } = await import('iconv-lite');
  const decoder = library.getDecoder(iconv, { stripBOM: false });
  return { write: (chunk: Buffer) => decoder.write(chunk), end: () => decoder.end() };
}

/** A line that is not text. */
interface TextFault {
  /** Number of the line, from 1. */
  line: number;
  /** True if the line is UTF-8, but for a NUL byte. */
  isNul: boolean;
}

/** Creates a check that the chunks of a file, in order, are UTF-8 without NUL bytes; characters may span chunks. */
export function createUtf8Check() {
  let rest = Buffer.alloc(0);
  let line = 1;
  let last = 0;
  return {
    /** Returns the first line with a bad byte in this chunk; `undefined` if the text is good so far. */
    fault(chunk: Buffer): TextFault | undefined {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const end = bytes.length - unfinished(bytes);
      rest = Buffer.from(bytes.subarray(end));
      const whole = bytes.subarray(0, end);
      if (last === carriageReturn && whole[0] === lineFeed) line -= 1;
      if (!isText(whole)) {
        const good = goodLines(whole);
        const bad = whole.subarray(good.length);
        return {
          line: line + lineEnds(good),
          isNul: isUtf8(bad.subarray(0, bad.indexOf(lineFeed) + 1 || bad.length)),
        };
      }
      line += lineEnds(whole);
      last = whole.at(-1) ?? last;
      return undefined;
    },
    /** The line, from 1, on which the good text so far ends. */
    line: () => line,
    /** True if the file ends inside a character. */
    endsEarly: () => rest.length > 0,
  };
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** Number of bytes at the end that begin a character which continues in the next chunk. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < characterLength(byte) ? back : 0;
  }
  return 0;
}

function characterLength(firstByte: number): number {
  if (firstByte >= 0xf0) return 4;
  return firstByte >= 0xe0 ? 3 : 2;
}

/** Number of line ends: of LF, of CR, and of both together. */
function lineEnds(bytes: Buffer): number {
  let ends = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) ends += 1;
  for (let at = bytes.indexOf(carriageReturn); at !== -1; at = bytes.indexOf(carriageReturn, at + 1))
    if (bytes[at + 1] !== lineFeed) ends += 1;
  return ends;
}

/** Returns what is before the first line with a bad byte. */
function goodLines(bytes: Buffer): Buffer {
  for (let start = 0; ; ) {
    const end = bytes.indexOf(lineFeed, start);
    if (end === -1 || !isText(bytes.subarray(start, end))) return bytes.subarray(0, start);
    start = end + 1;
  }
}

/** How the bytes of a file become text. */
export interface TextReading {
  encoding: EncodingName;
  /** Undecodable bytes become issues of their rows, not a fault of the file. */
  isLenient?: boolean;
}

/** Yields the chunks of a file as UTF-8, for a first pass. Throws a `SourceError` if they are not in the encoding. */
export async function* checkedText(
  file: string,
  chunks: Utf8Chunks,
  { encoding, isLenient }: TextReading,
): AsyncGenerator<Buffer, void> {
  const counts: DecodedCounts = { undecodable: 0, others: 0 };
  const check = createUtf8Check();
  const fail = (line = check.line()) => notOfEncoding(file, encoding, line);
  let badLine: number | undefined;
  try {
    for await (const chunk of toUtf8(chunks, encoding, isLenient ? counts : undefined)) {
      if (counts.undecodable > 0)
        badLine ??= check.line() + lineEnds(chunk.subarray(0, chunk.indexOf(undecodable)));
      const fault = check.fault(chunk);
      if (fault) throw fault.isNul ? withNul(file, encoding, fault.line) : fail(fault.line);
      yield chunk;
    }
  } catch (failure) {
    throw failure instanceof UndecodableError ? fail() : failure;
  }
  // If more than a third of the non-ASCII lines are undecodable, the whole file is in another encoding.
  if (check.endsEarly() || counts.undecodable * 2 > counts.others) throw fail(badLine);
}
