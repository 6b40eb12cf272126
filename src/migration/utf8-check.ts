import { isUtf8 } from 'node:buffer';

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
