import { isAscii, isUtf8 } from 'node:buffer';
import type { SourceError } from '../model/errors.ts';
import { notCharacter, type Utf8Chunks, undecodable } from '../model/source-record.ts';
import { type Encoding, type EncodingName, encodings, notOfEncoding, withNul } from './encodings.ts';

const lineFeed = 10;
const carriageReturn = 13;

/** Most bytes of a line that are kept until it ends; a longer one, such as a whole JSON file, is cut. */
const longestLine = 1 << 20;

/** Stands for a byte of a line in another encoding; it is not a byte of any wide encoding. */
const noByte = 0xff;

/** The beginning of a UTF-8 character at the end of a chunk, with one character for each byte. */
const unfinished = /(?:[\xc0-\xff]|[\xe0-\xff][\x80-\xbf]|[\xf0-\xff][\x80-\xbf]{2})$/;

const mark = Buffer.from(undecodable);

/**
 * Decodes the chunks of a file to UTF-8, with the character `undecodable` for bytes that are not in the encoding. Lines in UTF-8 are
 * not in an East Asian encoding, whatever their bytes would be there. `onCut` is called at the end of a file that ends inside a
 * character.
 */
export async function* toUtf8(
  chunks: Utf8Chunks,
  encoding: EncodingName,
  onCut: () => void = () => {},
): AsyncGenerator<Buffer, void> {
  if (encoding === 'utf-8') {
    // In a line that is valid, U+FFFD belongs to the text.
    const decode = (line: Buffer) => (isUtf8(line) ? withoutMark(line) : marked(line.toString()));
    let isCut = false;
    for await (const part of recut(chunks, endOfCharacters)) {
      // Before the last part, bytes that are no UTF-8 can look like this.
      isCut = endOfCharacters(part) < part.length;
      yield isUtf8(part) ? withoutMark(part) : mapLines(part, decode);
    }
    if (isCut) onCut();
    return;
  }
  const { isWide }: Encoding = encodings[encoding];
  const decoder = await decoderOf(encoding);
  const hide = (line: Buffer) => (isOfUtf8(line, encoding) ? withoutHighBytes(line) : line);
  for await (const part of isWide ? recut(chunks, endOfLines) : chunks) {
    const text = marked(decoder.write(isWide ? mapLines(part, hide) : part));
    if (text.length > 0) yield text;
  }
  const rest = marked(decoder.end() ?? '');
  if (rest.length === 0) return;
  onCut();
  yield rest;
}

/** Returns the text in UTF-8, with `undecodable` for each U+FFFD and for half a character of UTF-16. */
function marked(text: string): Buffer {
  const own = text.toWellFormed().replaceAll(undecodable, notCharacter);
  return Buffer.from(own.replaceAll('\uFFFD', undecodable));
}

/** Returns valid text in which `undecodable` stands for nothing else: not for the same character of the file. */
function withoutMark(text: Buffer): Buffer {
  return text.includes(mark) ? Buffer.from(text.toString().replaceAll(undecodable, notCharacter)) : text;
}

/** Cuts the bytes of a file into other pieces: those of a chunk from `endOf(bytes)` on stand before those of the next. */
export async function* recut(
  chunks: Utf8Chunks,
  endOf: (bytes: Buffer) => number,
): AsyncGenerator<Buffer, void> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = endOf(bytes);
    rest = Buffer.from(bytes.subarray(end));
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (rest.length > 0) yield rest;
}

function endOfCharacters(bytes: Buffer): number {
  const last = bytes.toString('latin1', Math.max(bytes.length - 3, 0));
  return bytes.length - (unfinished.exec(last)?.[0].length ?? 0);
}

/** Where the last line ends: no character spans a line end. */
export function endOfLines(bytes: Buffer): number {
  const end = bytes.lastIndexOf(lineFeed) + 1 || bytes.lastIndexOf(carriageReturn) + 1;
  return bytes.length - end > longestLine ? bytes.length : end;
}

function mapLines(bytes: Buffer, change: (line: Buffer) => Buffer): Buffer {
  if (isAscii(bytes)) return bytes;
  return Buffer.concat([...linesOf(bytes)].map((line) => (isAscii(line) ? line : change(line))));
}

function* linesOf(bytes: Buffer): Generator<Buffer, void> {
  const lineEnd = bytes.includes(lineFeed) ? lineFeed : carriageReturn;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineEnd, start) + 1 || bytes.length;
    yield bytes.subarray(start, end);
    start = end;
  }
}

/** Two characters of three bytes, as all Chinese, Japanese and Korean characters are: hardly any line of these encodings has them. */
const longCharacters = /[\xe0-\xef].*[\xe0-\xef]/s;
/** One such character, which in Shift_JIS is a kanji with a katakana of half width behind it: no text has that and no other kanji. */
const longInShiftJis = /[\xe0-\xef].[\xa1-\xbf]/s;
/** Letters of Europe, and quotes and dashes, of which one stands beside a letter of ASCII, as no character of East Asia does. */
const accented = /^(?=.*(?:[a-z][^\0-\x7f]|[^\0-\x7f][a-z]))[\p{ASCII}\p{Script=Latin}\u2010-\u201f]*$/isu;
/** A capital and two small letters: characters of East Asia do not look like that by chance. */
const cyrillic = /[А-ЯЁ][а-яё]{2}/u;

/**
 * True for a line of a file in an East Asian encoding that is in UTF-8, of which a decoder would make other characters. By chance the
 * bytes of some lines are in both encodings: these are taken for UTF-8 only if they are not plausible in that of the file.
 */
function isOfUtf8(line: Buffer, encoding: EncodingName): boolean {
  if (!isUtf8(line)) return false;
  const [bytes, text] = [line.toString('latin1'), line.toString()];
  const isLong = longCharacters.test(bytes) || (encoding === 'shift_jis' && longInShiftJis.test(bytes));
  return isLong || accented.test(text) || cyrillic.test(text);
}

function withoutHighBytes(line: Buffer): Buffer {
  return Buffer.from(line.map((byte) => (byte < 0x80 ? byte : noByte)));
}

/** Creates what decodes bytes chunk by chunk; `end` returns the remainder. Undecodable bytes become U+FFFD. */
async function decoderOf(encoding: EncodingName) {
  const { bom, iconv = encoding }: Encoding = encodings[encoding];
  if (bom) {
    const own = new TextDecoder(encoding, { ignoreBOM: true });
    return { write: (chunk: Buffer) => own.decode(chunk, { stream: true }), end: () => own.decode() };
  }
  const { default: library } = await import('iconv-lite');
  return library.getDecoder(iconv, { stripBOM: false });
}

/** How the bytes of a file become text. */
export interface TextReading {
  encoding: EncodingName;
  /** Undecodable bytes are issues of their rows, unless more than a third of the lines have some; otherwise a fault of the file. */
  isLenient?: boolean;
}

/** Creates the check of a first pass over the text of a file. */
export function createTextCheck(file: string, { encoding, isLenient }: TextReading) {
  let line = 1;
  let badLine: number | undefined;
  /** Lines that are not ASCII: with undecodable bytes, and all others. */
  let [bad, others] = [0, 0];
  const fail = (at: number) => notOfEncoding(file, encoding, at);

  /** The error if too many lines are undecodable: then the whole file is in another encoding. */
  function fault(): SourceError | undefined {
    return badLine !== undefined && bad * 2 > others ? fail(badLine) : undefined;
  }

  /** Examines a part of the text that begins on `line`. */
  function examine(text: Buffer): void {
    const lineAt = (at: number) => (at === -1 ? undefined : line + lineEnds(text.subarray(0, at)));
    const nul = lineAt(text.indexOf(0));
    const wrong = lineAt(text.indexOf(mark));
    badLine ??= wrong;
    if (!isLenient && wrong !== undefined && wrong <= (nul ?? wrong)) throw fail(wrong);
    if (nul !== undefined) throw withNul(file, encoding, nul);
    if (!isLenient || isAscii(text)) return;
    for (const one of linesOf(text)) {
      if (one.includes(mark)) bad += 1;
      else if (!isAscii(one)) others += 1;
    }
  }

  return {
    fault,
    /** Yields the chunks as UTF-8. Throws a `SourceError` for a NUL byte, and if they are not in the encoding. */
    async *pass(chunks: Utf8Chunks): AsyncGenerator<Buffer, void> {
      let end: number | undefined;
      let isCut = false;
      const onCut = () => {
        isCut = true;
      };
      for await (const text of toUtf8(chunks, encoding, onCut)) {
        if (end === carriageReturn && text[0] === lineFeed) line -= 1;
        examine(text);
        yield text;
        line += lineEnds(text);
        end = text.at(-1);
      }
      // A file that ends inside a character was cut short: more than that character is missing.
      if (isCut) throw fail(line);
      const found = fault();
      if (found) throw found;
    },
  };
}

/** Number of line ends: of LF, of CR, and of both together. */
function lineEnds(bytes: Buffer): number {
  let ends = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) ends += 1;
  for (let at = bytes.indexOf(carriageReturn); at !== -1; at = bytes.indexOf(carriageReturn, at + 1))
    if (bytes[at + 1] !== lineFeed) ends += 1;
  return ends;
}
