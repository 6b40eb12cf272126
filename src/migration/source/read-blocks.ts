import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../../text/error-code.ts';
import { SourceError } from '../model/errors.ts';

/** Size in bytes of a block, the unit in which later passes are compared with the first one. */
const blockSize = 1 << 16;

/** Size in bytes of a chunk to parse. All rows of a chunk are in memory at once; larger chunks gain little speed. */
const chunkSize = 1 << 14;

/** Digests of the first pass, with which each block of a later pass is compared: 16 bytes for each 64 KiB. */
export type BlockDigests = ReturnType<ReturnType<typeof watchBlocks>['digests']>;

const digestSize = 16;

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file; check the path',
  ENOTDIR: 'there is no such file; check the path',
  EACCES: 'permission denied; check the permissions of the file',
  EPERM: 'permission denied; check the permissions of the file',
};

/** Opens a file that can be read more than once. Calls `stat` first, since opening a pipe would wait for its writer. */
export async function openFile(file: string): Promise<FileHandle> {
  if (file === '-') {
    const fault =
      'standard input cannot be used: the file is read more than once, and again to resume; save it to a file';
    throw new SourceError(file, fault);
  }
  try {
    const found = await stat(file);
    if (!found.isFile()) {
      const kind = found.isDirectory() ? 'a directory' : 'a pipe or a device';
      const fault = `this is ${kind}, not a file; name a file on disk: it is read more than once`;
      throw new SourceError(file, fault);
    }
    return await open(file, 'r');
  } catch (failure) {
    throw readFailure(file, failure);
  }
}

/** Turns a system error about the file into a `SourceError` in plain words; returns any other failure unchanged. */
export function readFailure(file: string, failure: unknown): unknown {
  const code = errorCode(failure);
  if (code === undefined || !(failure instanceof Error && 'syscall' in failure)) return failure;
  return new SourceError(file, reasons[code] ?? `the file cannot be read (${code}); try a copy of it`);
}

/** Reads a file from beginning to end. */
export async function* readAll(handle: FileHandle): AsyncGenerator<Buffer, void> {
  for (let position = 0; ; ) {
    const block = await readBlock(handle, position);
    if (block.length === 0) return;
    position += block.length;
    yield block;
  }
}

/** Passes the blocks of a file through and digests them. Call `digests` after the last block has passed. */
export function watchBlocks(blocks: AsyncIterable<Buffer>) {
  const hash = createHash('sha256');
  const ofBlocks: Buffer[] = [];
  let size = 0;
  async function* passing(): AsyncGenerator<Buffer, void> {
    for await (const block of blocks) {
      size += block.length;
      ofBlocks.push(hash.update(block).copy().digest().subarray(0, digestSize));
      yield block;
    }
  }
  return {
    blocks: passing(),
    /**
     * Of the whole file, SHA-256 in hex and size in bytes; for each block the first 16 bytes of the SHA-256 of everything up to its
     * end, concatenated.
     */
    digests: () => ({ whole: hash.digest('hex'), size, blocks: Buffer.concat(ofBlocks) }),
  };
}

/**
 * Reads a file again, in smaller chunks. Yields no byte of a block before it is known to match the first pass; throws the error
 * made by `changed` if it does not, or if the file has grown.
 */
export async function* readAgain(
  handle: FileHandle,
  { size, blocks }: BlockDigests,
  changed: () => Error,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  for (let number = 0, position = 0; ; number += 1) {
    const block = await readBlock(handle, position);
    position += block.length;
    if (block.length === 0 && position === size) return;
    const digest = hash.update(block).copy().digest().subarray(0, digestSize);
    const expected = blocks.subarray(number * digestSize, (number + 1) * digestSize);
    if (position > size || !digest.equals(expected)) throw changed();
    for (let start = 0; start < block.length; start += chunkSize) {
      yield block.subarray(start, start + chunkSize);
    }
  }
}

/** Reads by position, so that every pass reads the same file even if another takes its name. A short read is not the end. */
async function readBlock(handle: FileHandle, position: number): Promise<Buffer> {
  const memory = Buffer.allocUnsafe(blockSize);
  let filled = 0;
  while (filled < memory.length) {
    const { bytesRead } = await handle.read(memory, filled, memory.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return memory.subarray(0, filled);
}

/** True for the beginning of a gzip archive. */
export function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Decompresses a gzip archive, in chunks. Throws a `SourceError` if the archive is damaged or cut short. */
export async function* gunzip(file: string, blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const archive = createGunzip();
  pipeline(Readable.from(blocks), archive, () => {});
  try {
    yield* archive;
  } catch (failure) {
    if (!/^Z_/.test(errorCode(failure) ?? '')) throw failure;
    throw new SourceError(file, 'the gzip archive is damaged or cut short; copy it again from its source');
  }
}
