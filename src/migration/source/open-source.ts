import { type FileHandle, open, stat } from 'node:fs/promises';
import { errorCode } from '../../text/error-code.ts';
import { SourceError } from '../model/errors.ts';
import { type Delimiter, detectDelimiter } from './detect-delimiter.ts';
import { detectEncoding, markedEncoding } from './detect-encoding.ts';
import { type EncodingName, notOfEncoding } from './encodings.ts';
import { readAgain, readAll, readHead, watchBlocks } from './read-blocks.ts';
import { changedMeanwhile, readRecords, type SourceRecord } from './read-records.ts';
import { refuseOtherFormats } from './refuse-other-formats.ts';
import { type RowScan, type ScanResult, scanRows } from './scan-rows.ts';
import { toUtf8, UndecodableError, undecodable } from './to-utf8.ts';

/** A source file that can be read to its end. */
export interface Source extends RowScan {
  file: string;
  /** How the bytes were read; ASCII counts as UTF-8. */
  encoding: EncodingName;
  delimiter: Delimiter;
  /** SHA-256 of the file's bytes, in hex. */
  digest: string;
  header: SourceRecord;
  /**
   * The data rows in lists; each call reads them from the beginning. No row comes from bytes that differ from those of the first
   * pass: rejects with a `SourceError` when the file was changed.
   */
  readRows(): Promise<AsyncGenerator<readonly SourceRecord[], void>>;
  close(): Promise<void>;
}

/** What the caller knows about the file; what is left out is found. */
export interface SourceOptions {
  encoding?: EncodingName;
  delimiter?: Delimiter;
  signal?: AbortSignal;
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file; check the path',
  ENOTDIR: 'there is no such file; check the path',
  EACCES: 'permission denied; check the permissions of the file',
  EPERM: 'permission denied; check the permissions of the file',
};

/**
 * Opens a CSV file: finds out how to read it, counts its rows, checks its structure, and reads its header. One pass over a
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
    const scan = async (encoding: EncodingName, isLenient = false) => {
      const start = await textOf(await readHead(handle), encoding);
      const dialect = detectDelimiter(file, start, isName, options.delimiter);
      const result: ScanResult = { encoding, isLenient, ...dialect };
      const { blocks, digests } = watchBlocks(readAll(handle));
      const scanned = await scanRows(file, blocks, result, options.signal);
      return { ...result, result, ...scanned, digests: digests() };
    };
    const head = await readHead(handle);
    refuseOtherFormats(file, head);
    const known = options.encoding ?? markedEncoding(file, head);
    const scanned = await (known ? scanAs(known, scan) : scanAsUtf8(file, handle, scan));
    const { result, rows, paddedColumns, digests, encoding, delimiter } = scanned;

    async function startReading() {
      const blocks = readAgain(handle, digests, () => changedMeanwhile(file));
      const lists = readRecords(file, blocks, result, rows);
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
      encoding,
      delimiter,
      digest: digests.whole,
      rows,
      paddedColumns,
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

type ScanSource<Scan> = (encoding: EncodingName, isLenient?: boolean) => Promise<Scan>;

/** Where the file as a whole is of the encoding, lines that are not are left to the checks of the rows. */
async function scanAs<Scan>(encoding: EncodingName, scan: ScanSource<Scan>): Promise<Scan> {
  try {
    return await scan(encoding);
  } catch (failure) {
    if (!(failure instanceof SourceError) || encoding.startsWith('utf-16')) throw failure;
    return scan(encoding, true).catch(() => {
      throw failure;
    });
  }
}

/** Nearly every file is UTF-8: it is scanned as such, and looked at once more only when that fails. */
async function scanAsUtf8<Scan>(file: string, handle: FileHandle, scan: ScanSource<Scan>): Promise<Scan> {
  try {
    return await scan('utf-8');
  } catch (failure) {
    if (!(failure instanceof SourceError)) throw failure;
    const { encoding, isLenient } = await detectEncoding(file, handle);
    if (encoding === 'utf-8' && !isLenient) throw failure;
    return scan(encoding, isLenient);
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

/** Asks before it opens: opening a pipe would wait for its writer. */
async function openFile(file: string): Promise<FileHandle> {
  if (file === '-') {
    const fault =
      'standard input cannot be imported, since the file is read more than once; save it to a file';
    throw new SourceError(file, fault);
  }
  try {
    const found = await stat(file);
    if (!found.isFile()) {
      const kind = found.isDirectory() ? 'a directory' : 'a pipe or a device';
      const fault = `this is ${kind}, not a file; name a CSV file on disk: it is read more than once`;
      throw new SourceError(file, fault);
    }
    return await open(file, 'r');
  } catch (failure) {
    throw readFailure(file, failure);
  }
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

function readFailure(file: string, failure: unknown): unknown {
  const code = errorCode(failure);
  if (code === undefined || !(failure instanceof Error && 'syscall' in failure)) return failure;
  return new SourceError(file, reasons[code] ?? `the file cannot be read (${code}); try a copy of it`);
}
