import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { readRecords, type SourceRecord } from './read-records.ts';
import { scanSource } from './scan-source.ts';
import { SourceError } from './source-error.ts';

/** A source file that can be read to its end. */
export interface Source {
  file: string;
  /** Data rows, counted by a first pass over the whole file. */
  rows: number;
  /** SHA-256 of the file's bytes, hex. */
  digest: string;
  header: SourceRecord;
  /** The data rows, once. */
  records: AsyncGenerator<SourceRecord, void>;
  close(): Promise<void>;
}

/** Bytes of a chunk to parse. Its rows wait in memory together; larger ones gain little speed. */
const chunkSize = 1 << 14;

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file; check the path',
  ENOTDIR: 'there is no such file; check the path',
  EACCES: 'the file may not be read by you; check its permissions',
  EPERM: 'the file may not be read by you; check its permissions',
};

/**
 * Opens a CSV file: counts its rows, checks its structure, and reads its header. Rejects with a `SourceError`,
 * or with the signal's reason when it is aborted meanwhile.
 */
export async function openSource(file: string, signal?: AbortSignal): Promise<Source> {
  const handle = await openFile(file);
  try {
    const hash = createHash('sha256');
    const scanned = Buffer.alloc(1 << 16);
    const rows = await scanSource(
      file,
      digested(
        chunksOf(handle, () => scanned),
        hash,
      ),
      signal,
    );
    const records = readRecords(
      file,
      chunksOf(handle, () => Buffer.allocUnsafe(chunkSize)),
      rows,
    );
    const header = await records.next();
    if (header.done) throw new SourceError(file, 'the header was not found again; was the file changed?');
    const close = async () => {
      await records.return();
      await handle.close();
    };
    return { file, rows, digest: hash.digest('hex'), header: header.value, records, close };
  } catch (failure) {
    await handle.close();
    throw readFailure(file, failure);
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

/**
 * Reads from the first byte on, by position, so that both passes read the same file even if another takes its
 * name. `next` gives the memory of each chunk.
 */
async function* chunksOf(handle: FileHandle, next: () => Buffer): AsyncGenerator<Buffer, void> {
  for (let position = 0; ; ) {
    const memory = next();
    const { bytesRead } = await handle.read(memory, 0, memory.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield memory.subarray(0, bytesRead);
  }
}

async function* digested(chunks: AsyncIterable<Buffer>, hash: Hash) {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

function readFailure(file: string, failure: unknown): unknown {
  if (!(failure instanceof Error) || !('syscall' in failure) || !('code' in failure)) return failure;
  const code = String(failure.code);
  return new SourceError(file, reasons[code] ?? `the file cannot be read (${code}); try a copy of it`);
}
