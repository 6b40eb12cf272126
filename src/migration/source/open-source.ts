import { type FileHandle, open, stat } from 'node:fs/promises';
import { errorCode } from '../../text/error-code.ts';
import { SourceError } from '../model/errors.ts';
import { type Delimiter, detectDelimiter } from './detect-delimiter.ts';
import { detectEncoding } from './detect-encoding.ts';
import { type EncodingName, toUtf8, UndecodableError } from './encodings.ts';
import { readAgain, readAll, readHead, watch } from './read-blocks.ts';
import { changedMeanwhile, readRecords, type SourceRecord } from './read-records.ts';
import { type ScanResult, scanRows } from './scan-rows.ts';

/** A source file that can be read to its end. */
export interface Source {
  file: string;
  /** How the bytes were read; ASCII counts as UTF-8. */
  encoding: EncodingName;
  delimiter: Delimiter;
  /** SHA-256 of the file's bytes, in hex. */
  digest: string;
  /** Bytes of the file. */
  size: number;
  /** Data rows, counted by a first pass over the whole file. */
  rows: number;
  header: SourceRecord;
  /** The data rows in lists, once; none of them from bytes that differ from those of the first pass. */
  records: AsyncGenerator<readonly SourceRecord[], void>;
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
  EACCES: 'the file may not be read by you; check its permissions',
  EPERM: 'the file may not be read by you; check its permissions',
};

/**
 * Opens a CSV file: finds out how to read it, counts its rows, checks its structure, and reads its header. `isName`
 * knows the names of columns, by which the delimiter is found. Rejects with a `SourceError`, or with the signal's
 * reason when it is aborted meanwhile.
 */
export async function openSource(
  file: string,
  isName: (name: string) => boolean,
  options: SourceOptions = {},
): Promise<Source> {
  const handle = await openFile(file);
  try {
    const encoding = options.encoding ?? (await detectEncoding(file, handle));
    const start = await textOf(await readHead(handle), encoding);
    const division = detectDelimiter(file, start, isName, options.delimiter);
    const reading: ScanResult = { encoding, ...division };
    const { blocks, seen } = watch(readAll(handle));
    const rows = await scanRows(file, blocks, reading, options.signal);
    const whole = seen();
    const again = readAgain(handle, whole, () => changedMeanwhile(file));
    const lists = readRecords(file, again, reading, rows);
    const first = (await lists.next()).value ?? [];
    const header = first.shift();
    if (!header) throw changedMeanwhile(file);
    const records = joined(first, lists);
    const close = async () => {
      try {
        await records.return();
      } finally {
        await handle.close();
      }
    };
    const { digest, size } = whole;
    const { delimiter } = division;
    return { file, encoding, delimiter, digest, size, rows, header, records, close };
  } catch (failure) {
    await handle.close();
    throw readFailure(file, failure);
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
  try {
    const found = await stat(file);
    if (!found.isFile()) {
      const kind = found.isDirectory() ? 'a directory' : 'a pipe or a device';
      const fault = `this is ${kind}, not a file; name a CSV file on disk, it is read twice`;
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
