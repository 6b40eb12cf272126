import { SourceError } from '../model/errors.ts';
import { changedMeanwhile, type SourceRecord, undecodable } from '../model/source-record.ts';
import { detectEncoding, encodingOf, isProbablyEastern } from './detect-encoding.ts';
import { detectFormat } from './detect-format.ts';
import { type EncodingName, notOfEncoding } from './encodings.ts';
import { gunzip, isGzip, openFile, readAgain, readAll, readFailure, watchBlocks } from './read-blocks.ts';
import { findReader, type ReaderOptions } from './readers.ts';
import { createTextCheck, type TextReading, toUtf8 } from './to-utf8.ts';

/** An open source file that the first pass has found readable to its end. */
export type Source = Awaited<ReturnType<typeof openSource>>;

/** What the caller knows about the file; anything left out is detected. */
export interface SourceOptions extends Omit<ReaderOptions, 'fieldOf'> {
  encoding?: EncodingName;
  signal?: AbortSignal | undefined;
}

/**
 * Opens a file of users: detects how to read it, counts its rows, checks its structure, and reads its header. Takes one pass if the
 * file is UTF-8 or its encoding is given or marked. `fieldOf` returns the field of a known column name; it is used to detect the
 * delimiter. Rejects with a `SourceError`, or with the signal's reason if aborted.
 */
export async function openSource(
  file: string,
  fieldOf: (name: string) => string | undefined,
  options: SourceOptions = {},
) {
  const handle = await openFile(file);
  try {
    const isCompressed = isGzip(await headOf(readAll(handle)));
    const unpacked = (blocks: AsyncIterable<Buffer>) => (isCompressed ? gunzip(file, blocks) : blocks);
    const read = () => unpacked(readAll(handle));
    const head = await headOf(read());
    const known = encodingOf(file, head, options.encoding);
    const textIn = async (encoding: EncodingName) => (await headOf(toUtf8([head], encoding))).toString();
    const format = detectFormat(file, head, await textIn(known ?? 'utf-8'));
    const scan = async (text: TextReading) => {
      const { encoding } = text;
      const reader = await findReader(file, format, await textIn(encoding), () => toUtf8(read(), encoding), {
        ...options,
        fieldOf,
      });
      const { blocks, digests } = watchBlocks(readAll(handle));
      const check = createTextCheck(file, text);
      const scanned = await reader
        .scan(check.pass(unpacked(blocks)), options.signal)
        // Text in the wrong encoding may be broken CSV or JSON as well.
        .catch((failure: unknown) => {
          throw failure instanceof SourceError ? (check.fault() ?? failure) : failure;
        });
      return { encoding, reader, scanned, digests: digests() };
    };
    const { encoding, reader, scanned, digests } = await (known
      ? scan({ encoding: known, isLenient: !known.startsWith('utf-16') })
      : scanAsUtf8(file, read, scan));

    const isNamed = options.encoding === 'windows-1252' && encoding === options.encoding;
    const { header } = scanned;
    if (header.cells.some((cell) => cell.includes(undecodable)))
      throw notOfEncoding(file, encoding, header.line);
    let current: ReturnType<typeof reader.read> | undefined;
    return {
      file,
      format,
      /** How the file is read, for display: compression, encoding, and delimiter or format. */
      reading: [...(isCompressed ? ['gzip'] : []), encoding, reader.name],
      /** True if the encoding was named, and most likely another one of Europe is meant. */
      mayBeEastern: isNamed && (await isProbablyEastern(read)),
      /** SHA-256 of the file's bytes, in hex. */
      digest: digests.whole,
      ...scanned,
      /**
       * Yields the data rows in lists; each call starts again from the first row. Rows come only from bytes that match the first pass:
       * rejects with a `SourceError` if the file has changed since.
       */
      readRows(): AsyncGenerator<readonly SourceRecord[], void> {
        const blocks = readAgain(handle, digests, () => changedMeanwhile(file));
        current = reader.read(toUtf8(unpacked(blocks), encoding), scanned);
        return current;
      },
      async close(): Promise<void> {
        try {
          await current?.return();
        } finally {
          await handle.close();
        }
      },
    };
  } catch (failure) {
    await handle.close();
    throw readFailure(file, failure);
  }
}

/** Scans the file as UTF-8, which nearly every file is; detects the encoding and scans again only if that fails. */
async function scanAsUtf8<Scan>(
  file: string,
  read: () => AsyncIterable<Buffer>,
  scan: (text: TextReading) => Promise<Scan>,
): Promise<Scan> {
  try {
    return await scan({ encoding: 'utf-8' });
  } catch (failure) {
    if (!(failure instanceof SourceError)) throw failure;
    const found = await detectEncoding(file, read);
    if (!found) throw failure;
    return scan({ encoding: found, isLenient: true });
  }
}

/** Returns the beginning of a text: the first 64 KiB or more. */
async function headOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size >= 1 << 16) break;
  }
  return Buffer.concat(parts);
}
