import type { Utf8Chunks } from '../model/source-record.ts';
import { type EncodingName, notOfEncoding } from './encodings.ts';
import {
  createUtf8Check,
  type DecodedCounts,
  linesBeforeUndecodable,
  toUtf8,
  UndecodableError,
} from './to-utf8.ts';

/** How the bytes of a file become text. */
export interface TextReading {
  encoding: EncodingName;
  /** Undecodable bytes become issues of their rows, not a fault of the file. */
  isLenient?: boolean;
}

/**
 * Yields the chunks of a file as UTF-8, for a first pass. Throws a `SourceError` if they are not in the encoding. `lineNow` returns
 * the line on which the last chunk ended.
 */
export async function* checkedText(
  file: string,
  chunks: Utf8Chunks,
  { encoding, isLenient }: TextReading,
  lineNow: () => number,
): AsyncGenerator<Buffer, void> {
  const counts: DecodedCounts = { undecodable: 0, others: 0 };
  const check = createUtf8Check();
  let badLine: number | undefined;
  try {
    for await (const chunk of toUtf8(chunks, encoding, isLenient ? counts : undefined)) {
      if (counts.undecodable > 0) badLine ??= lineNow() + linesBeforeUndecodable(chunk);
      const linesBefore = check.fault(chunk);
      if (linesBefore !== undefined) throw notOfEncoding(file, encoding, lineNow() + linesBefore);
      yield chunk;
    }
  } catch (failure) {
    throw failure instanceof UndecodableError ? notOfEncoding(file, encoding, lineNow()) : failure;
  }
  if (check.endsEarly()) throw notOfEncoding(file, encoding, lineNow());
  // If more than a third of the non-ASCII lines are undecodable, the whole file is in another encoding.
  if (counts.undecodable * 2 > counts.others) throw notOfEncoding(file, encoding, badLine ?? lineNow());
}

/** Like `checkedText`, for readers that do not count lines themselves. */
export async function* countedText(
  file: string,
  chunks: Utf8Chunks,
  reading: TextReading,
): AsyncGenerator<Buffer, void> {
  let line = 1;
  for await (const chunk of checkedText(file, chunks, reading, () => line)) {
    yield chunk;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) line += 1;
  }
}
