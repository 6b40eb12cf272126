import { isUtf8 } from 'node:buffer';
import { SourceError } from '../model/errors.ts';

/** How the bytes of a file become text. `bom` stands at the beginning of a file, and names the encoding. */
interface Encoding {
  bom?: readonly number[];
  /** Name by which iconv-lite knows it; the others are read by Node itself. */
  iconv?: string;
}

/** Encodings that are found by themselves; Windows-1252 is also read where a file calls itself ISO 8859-1. */
export const encodings = {
  'utf-8': { bom: [0xef, 0xbb, 0xbf] },
  'utf-16le': { bom: [0xff, 0xfe] },
  'utf-16be': { bom: [0xfe, 0xff] },
  gb18030: { iconv: 'gb18030' },
  'windows-1252': { iconv: 'windows-1252' },
} as const satisfies Record<string, Encoding>;

export type EncodingName = keyof typeof encodings;

const otherSpellings: Record<string, EncodingName> = {
  utf8: 'utf-8',
  'utf-8-sig': 'utf-8',
  utf16le: 'utf-16le',
  'ucs-2': 'utf-16le',
  utf16be: 'utf-16be',
  gbk: 'gb18030',
  gb2312: 'gb18030',
  cp936: 'gb18030',
  cp1252: 'windows-1252',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
};

/** The encoding of this name, in any case and in the usual spellings; `undefined` when there is none. */
export function encodingNamed(name: string): EncodingName | undefined {
  const plain = name.toLowerCase().replaceAll('_', '-');
  return isEncoding(plain) ? plain : otherSpellings[plain];
}

function isEncoding(name: string): name is EncodingName {
  return Object.hasOwn(encodings, name);
}

/** Bytes that the encoding does not know; the reader of the chunks, who counts the lines, adds its line. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError';
}

/** Turns parts of a text into text; `end` gives what is left. U+FFFD stands for what cannot be read. */
interface Decoder {
  write(chunk: Buffer): string;
  end(): string | undefined;
}

/**
 * Chunks of a file as UTF-8. Those of a UTF-8 file pass untouched and unchecked. Throws an `UndecodableError` after
 * everything that comes before the first bytes which are not of the encoding.
 */
export function toUtf8(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  encoding: EncodingName,
): AsyncIterable<Buffer> | Iterable<Buffer> {
  return encoding === 'utf-8' ? chunks : transcode(chunks, encoding);
}

async function* transcode(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  encoding: EncodingName,
): AsyncGenerator<Buffer, void> {
  const decoder = await decoderOf(encoding);
  for await (const chunk of chunks) yield* checked(decoder.write(chunk));
  yield* checked(decoder.end() ?? '');
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

async function decoderOf(encoding: EncodingName): Promise<Decoder> {
  const { iconv }: Encoding = encodings[encoding];
  if (iconv === undefined) return utf16Decoder(encoding === 'utf-16be');
  const { default: library } = await import('iconv-lite');
  const decoder = library.getDecoder(iconv, { stripBOM: false });
  return { write: (chunk) => decoder.write(chunk), end: () => decoder.end() };
}

/** Both halves of a character are kept together; Node's own `StringDecoder` knows only one byte order. */
function utf16Decoder(bigEndian: boolean): Decoder {
  let rest = Buffer.alloc(0);
  return {
    write(chunk) {
      const bytes = Buffer.concat([rest, chunk]);
      let end = bytes.length - (bytes.length % 2);
      const last = end >= 2 ? bytes[bigEndian ? end - 2 : end - 1] : undefined;
      if (last !== undefined && last >= 0xd8 && last <= 0xdb) end -= 2;
      rest = Buffer.from(bytes.subarray(end));
      const units = bytes.subarray(0, end);
      if (bigEndian) units.swap16();
      return units.toString('utf16le');
    },
    end: () => (rest.length > 0 ? '\uFFFD' : ''),
  };
}

const labels: Record<EncodingName, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  gb18030: 'GB18030',
  'windows-1252': 'Windows-1252',
};

/** Bytes that are not of the encoding, as a fault of the file. */
export function notOfEncoding(file: string, encoding: EncodingName, line: number): SourceError {
  const fault = `the text is not ${labels[encoding]}, or a character is cut, or it holds a NUL byte; save the file as "CSV UTF-8" and try again`;
  return new SourceError(file, fault, line);
}

const lineFeed = 10;

/** Checks the chunks of one file in turn. */
export interface Utf8Check {
  /** Lines before the first bad one in this chunk, or `undefined` when the text is good so far. */
  fault(chunk: Buffer): number | undefined;
  /** True when the file ends inside a character. */
  endsEarly(): boolean;
}

/** Makes a check that the chunks of a file are UTF-8 and hold no NUL; characters may span chunks. */
export function createUtf8Check(): Utf8Check {
  let rest = Buffer.alloc(0);
  return {
    fault(chunk) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const end = bytes.length - unfinished(bytes);
      rest = Buffer.from(bytes.subarray(end));
      const whole = bytes.subarray(0, end);
      return isText(whole) ? undefined : linesBeforeFault(whole);
    },
    endsEarly: () => rest.length > 0,
  };
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** How many bytes at the end begin a character that goes on in the next chunk. */
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

function linesBeforeFault(bytes: Buffer): number {
  let start = 0;
  for (let lines = 0; ; lines += 1) {
    const end = bytes.indexOf(lineFeed, start);
    if (end === -1 || !isText(bytes.subarray(start, end))) return lines;
    start = end + 1;
  }
}
