import { SourceError } from '../model/errors.ts';
import { changedMeanwhile, type RowScan, type SourceRecord, undecodable } from '../model/source-record.ts';
import type { TextReading } from './checked-text.ts';
import type { Delimiter } from './detect-delimiter.ts';
import { detectEncoding, markedEncoding } from './detect-encoding.ts';
import { detectFormat, type SourceFormat } from './detect-format.ts';
import { type EncodingName, notOfEncoding } from './encodings.ts';
import { gunzip, isGzip } from './gunzip.ts';
import { openFile, readFailure } from './open-file.ts';
import { readAgain, readAll, readHead, watchBlocks } from './read-blocks.ts';
import { findReader, type ReaderOptions } from './readers.ts';
import { toUtf8, UndecodableError } from './to-utf8.ts';

/** A source file that can be read to its end. */
export interface Source extends RowScan {
  file: string;
  format: SourceFormat;
  /** How the file is read, in the words of a person: compression, encoding, delimiter or format. */
  reading: readonly string[];
  /** How the bytes were read; ASCII counts as UTF-8. */
  encoding: EncodingName;
  /** Of a CSV file. */
  delimiter: Delimiter | undefined;
  /** SHA-256 of the file's bytes, in hex. */
  digest: string;
  /** The names of the columns: of a file without a header, the names of its values in the order in which they appear. */
  header: SourceRecord;
  /**
   * The data rows in lists; each call reads them from the beginning. No row comes from bytes that differ from those of the first
   * pass: rejects with a `SourceError` when the file was changed.
   */
  readRows(): Promise<AsyncGenerator<readonly SourceRecord[], void>>;
  close(): Promise<void>;
}

/** What the caller knows about the file; what is left out is found. */
export interface SourceOptions extends Omit<ReaderOptions, 'isName'> {
  encoding?: EncodingName;
  signal?: AbortSignal | undefined;
}

/**
 * Opens a file of users: finds out how to read it, counts its rows, checks its structure, and reads its header. One pass over a
 * UTF-8 file, or over one whose encoding is given or marked. `isName` knows the names of columns, by which the delimiter is
 * found. Rejects with a `SourceError`, or with the signal's reason when it is aborted meanwhile.
 */
export async function openSource(
  file: string,
  isName: (name: string) => boolean,
  options: SourceOptions = {},
): Promise<Source> {
  const handle = await openFile(file);
  try {
    const isCompressed = isGzip(await readHead(handle));
    const unpacked = (blocks: AsyncIterable<Buffer>) => (isCompressed ? gunzip(file, blocks) : blocks);
    const read = () => unpacked(readAll(handle));
    const head = isCompressed ? await headOf(read()) : await readHead(handle);
    const known = options.encoding ?? markedEncoding(file, head);
    const format = detectFormat(file, head, await textOf(head, known ?? 'utf-8'));
    const scan = async (text: TextReading) => {
      const start = await textOf(head, text.encoding);
      const reader = await findReader(file, format, start, () => toUtf8(read(), text.encoding), {
        ...options,
        isName,
      });
      const { blocks, digests } = watchBlocks(readAll(handle));
      const scanned = await reader.scan(unpacked(blocks), text, options.signal);
      return { text, reader, scanned, digests: digests() };
    };
    const { text, reader, scanned, digests } = await (known
      ? scanAs(known, scan)
      : scanAsUtf8(file, read, scan));
    const { encoding, isLenient } = text;

    async function startReading() {
      const blocks = readAgain(handle, digests, () => changedMeanwhile(file));
      const counts = isLenient ? { undecodable: 0, others: 0 } : undefined;
      const lists = reader.read(toUtf8(unpacked(blocks), encoding, counts), scanned);
      if (scanned.header) return { header: { row: 0, line: 1, cells: scanned.header }, records: lists };
      const first = (await lists.next()).value ?? [];
      const header = first.shift();
      if (!header) throw changedMeanwhile(file);
      return { header, records: joined(first, lists) };
    }

    const first = await startReading();
    const { header } = first;
    if (header.cells.some((cell) => cell.includes(undecodable)))
      throw notOfEncoding(file, encoding, header.line);
    let next: typeof first | undefined = first;
    let current = first.records;
    return {
      file,
      format,
      reading: [...(isCompressed ? ['gzip'] : []), encoding, reader.name],
      encoding,
      delimiter: reader.delimiter,
      digest: digests.whole,
      rows: scanned.rows,
      fixedColumns: scanned.fixedColumns,
      header,
      async readRows() {
        const reading = next ?? (await startReading());
        next = undefined;
        current = reading.records;
        return current;
      },
      async close() {
        try {
          await current.return();
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

type ScanSource<Scan> = (text: TextReading) => Promise<Scan>;

/** Where the file as a whole is of the encoding, lines that are not are left to the checks of the rows. */
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

/** Nearly every file is UTF-8: it is scanned as such, and looked at once more only when that fails. */
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
    return scan(found);
  }
}

async function* joined(
  first: readonly SourceRecord[],
  rest: AsyncGenerator<readonly SourceRecord[], void>,
): AsyncGenerator<readonly SourceRecord[], void> {
  try {
    if (first.length > 0) yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** The beginning of what an archive holds. */
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

/** As much as can be read: the head may end inside a character, and what is broken is found by the first pass. */
async function textOf(head: Buffer, encoding: EncodingName): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const part of toUtf8([head], encoding)) parts.push(part);
  } catch (failure) {
    if (!(failure instanceof UndecodableError)) throw failure;
  }
  return Buffer.concat(parts).toString();
}
