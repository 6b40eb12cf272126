import { SourceError } from '../model/errors.ts';
import { changedMeanwhile, type Scanned, type SourceRecord, undecodable } from '../model/source-record.ts';
import { detectEncoding, markedEncoding } from './detect-encoding.ts';
import { detectFormat, type SourceFormat } from './detect-format.ts';
import { type EncodingName, notOfEncoding } from './encodings.ts';
import { gunzip, isGzip, openFile, readAgain, readAll, readFailure, watchBlocks } from './read-blocks.ts';
import { findReader, type ReaderOptions } from './readers.ts';
import { checkedText, type TextReading, toUtf8, UndecodableError } from './to-utf8.ts';

/** An open source file that the first pass has found readable to its end. */
export interface Source extends Scanned {
  file: string;
  format: SourceFormat;
  /** How the file is read, for display: compression, encoding, and delimiter or format. */
  reading: readonly string[];
  /** SHA-256 of the file's bytes, in hex. */
  digest: string;
  /**
   * Yields the data rows in lists; each call starts again from the first row. Rows come only from bytes that match the first pass:
   * rejects with a `SourceError` if the file has changed since.
   */
  readRows(): AsyncGenerator<readonly SourceRecord[], void>;
  close(): Promise<void>;
}

/** What the caller knows about the file; anything left out is detected. */
export interface SourceOptions extends Omit<ReaderOptions, 'isName'> {
  encoding?: EncodingName;
  signal?: AbortSignal | undefined;
}

/**
 * Opens a file of users: detects how to read it, counts its rows, checks its structure, and reads its header. Takes one pass if the
 * file is UTF-8 or its encoding is given or marked. `isName` returns true for known column names; it is used to detect the
 * delimiter. Rejects with a `SourceError`, or with the signal's reason if aborted.
 */
export async function openSource(
  file: string,
  isName: (name: string) => boolean,
  options: SourceOptions = {},
): Promise<Source> {
  const handle = await openFile(file);
  try {
    const isCompressed = isGzip(await headOf(readAll(handle)));
    const unpacked = (blocks: AsyncIterable<Buffer>) => (isCompressed ? gunzip(file, blocks) : blocks);
    const read = () => unpacked(readAll(handle));
    const head = await headOf(read());
    const known = options.encoding ?? markedEncoding(file, head);
    const format = detectFormat(file, head, await textOf(head, known ?? 'utf-8'));
    const scan = async (text: TextReading) => {
      const start = await textOf(head, text.encoding);
      const reader = await findReader(file, format, start, () => laxly(read(), text.encoding), {
        ...options,
        isName,
      });
      const { blocks, digests } = watchBlocks(readAll(handle));
      const scanned = await reader.scan(checkedText(file, unpacked(blocks), text), options.signal);
      return { text, reader, scanned, digests: digests() };
    };
    const { text, reader, scanned, digests } = await (known
      ? scanAs(known, scan)
      : scanAsUtf8(file, read, scan));
    const { encoding, isLenient } = text;

    const { header } = scanned;
    if (header.cells.some((cell) => cell.includes(undecodable)))
      throw notOfEncoding(file, encoding, header.line);
    let current: ReturnType<typeof reader.read> | undefined;
    return {
      file,
      format,
      reading: [...(isCompressed ? ['gzip'] : []), encoding, reader.name],
      digest: digests.whole,
      ...scanned,
      readRows() {
        const blocks = readAgain(handle, digests, () => changedMeanwhile(file));
        const counts = isLenient ? { undecodable: 0, others: 0 } : undefined;
        current = reader.read(toUtf8(unpacked(blocks), encoding, counts), scanned);
        return current;
      },
      async close() {
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

/** Decodes chunks before the first pass, which then reports bytes that are not of the encoding. */
function laxly(chunks: AsyncIterable<Buffer>, encoding: EncodingName) {
  return toUtf8(chunks, encoding, encoding === 'utf-8' ? undefined : { undecodable: 0, others: 0 });
}

type ScanSource<Scan> = (text: TextReading) => Promise<Scan>;

/** Scans in a known encoding; if that fails, leniently, so that stray lines in another one become issues of their rows. */
async function scanAs<Scan>(encoding: EncodingName, scan: ScanSource<Scan>): Promise<Scan> {
  try {
    return await scan({ encoding });
  } catch (failure) {
    if (!(failure instanceof SourceError) || encoding.startsWith('utf-16')) throw failure;
    return scan({ encoding, isLenient: true }).catch(() => {
      throw failure;
    });
  }
}

/** Scans the file as UTF-8, which nearly every file is; detects the encoding and scans again only if that fails. */
async function scanAsUtf8<Scan>(
  file: string,
  read: () => AsyncIterable<Buffer>,
  scan: ScanSource<Scan>,
): Promise<Scan> {
  try {
    return await scan({ encoding: 'utf-8' });
  } catch (failure) {
    if (!(failure instanceof SourceError)) throw failure;
    const found = await detectEncoding(file, read);
    if (found.encoding === 'utf-8' && !found.isLenient) throw failure;
    return found.isLenient ? scan(found) : scanAs(found.encoding, scan);
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

/** Decodes as much of the head as it can: it may end inside a character, and the first pass reports undecodable bytes. */
async function textOf(head: Buffer, encoding: EncodingName): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const part of toUtf8([head], encoding)) parts.push(part);
  } catch (failure) {
    if (!(failure instanceof UndecodableError)) throw failure;
  }
  return Buffer.concat(parts).toString();
}
