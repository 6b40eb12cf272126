import { isAscii, isUtf8 } from 'node:buffer';
import type { Utf8Chunks } from '../model/source-record.ts';

/** The first byte of a UTF-8 character of three bytes, as all Chinese, Japanese and Korean characters are. */
const longCharacter = { from: 0xe0, to: 0xef } as const;

/** Stands for a byte of a line in another encoding; it is not a byte of any of the encodings of `hideUtf8Lines`. */
const noByte = 0xff;

/** Most bytes of a line that are kept until it ends; a longer one, such as a whole JSON file, passes as it is. */
const longestLine = 1 << 20;

/**
 * Passes on the bytes of a file in an East Asian encoding, but makes those of single lines in UTF-8 undecodable: a decoder would
 * make other characters of them. A line is taken for UTF-8 if it is well-formed and has at least two characters of three bytes,
 * which hardly any line in these encodings does.
 */
export async function* hideUtf8Lines(chunks: Utf8Chunks): AsyncGenerator<Buffer, void> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    // A copy, since lines are changed in place.
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(10) + 1 || bytes.lastIndexOf(13) + 1;
    const isEndless = bytes.length - end > longestLine;
    rest = isEndless ? Buffer.alloc(0) : bytes.subarray(end);
    if (isEndless || end > 0) yield withoutUtf8(bytes.subarray(0, isEndless ? bytes.length : end));
  }
  if (rest.length > 0) yield withoutUtf8(rest);
}

/** Changes the bytes in place. */
function withoutUtf8(bytes: Buffer): Buffer {
  const lineEnd = bytes.includes(10) ? 10 : 13;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineEnd, start) + 1 || bytes.length;
    const line = bytes.subarray(start, end);
    start = end;
    if (!isAscii(line) && isUtf8(line) && hasLongCharacters(line))
      for (const [index, byte] of line.entries()) if (byte >= 0x80) line[index] = noByte;
  }
  return bytes;
}

function hasLongCharacters(line: Buffer): boolean {
  const isLong = (byte: number) => byte >= longCharacter.from && byte <= longCharacter.to;
  const first = line.findIndex(isLong);
  return first !== -1 && line.subarray(first + 1).some(isLong);
}
