import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** Bytes of a block, the unit in which a file is compared with its first pass. */
const blockSize = 1 << 16;

/** Bytes of a chunk to parse. Its rows wait in memory together; larger ones gain little speed. */
const chunkSize = 1 << 14;

/** What the first pass read: enough to compare each block of a later one, 16 bytes for 64 KiB. */
export interface BlockDigests {
  /** SHA-256 of the whole file, in hex. */
  whole: string;
  /** Bytes of the file. */
  size: number;
  /** Beginning of the digest of everything up to the end of each block, one after another. */
  blocks: Buffer;
}

const digestSize = 16;

/** The beginning of a file, at most 64 KiB. */
export async function readHead(handle: FileHandle): Promise<Buffer> {
  return readBlock(handle, Buffer.alloc(blockSize), 0);
}

/** Reads a file from its first byte to its end. The memory of a chunk is used again for the next one. */
export async function* readAll(handle: FileHandle): AsyncGenerator<Buffer, void> {
  const memory = Buffer.alloc(blockSize);
  for (let position = 0; ; ) {
    const block = await readBlock(handle, memory, position);
    if (block.length === 0) return;
    position += block.length;
    yield block;
  }
}

/** Passes the blocks of a file on and digests them; `digests` is called when the last one has passed. */
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
  const digests = (): BlockDigests => ({ whole: hash.digest('hex'), size, blocks: Buffer.concat(ofBlocks) });
  return { blocks: passing(), digests };
}

/**
 * Reads a file again, in smaller chunks. No byte is passed on before its block is known to be the same as before;
 * throws the error of `changed` otherwise, also when the file has grown.
 */
export async function* readAgain(
  handle: FileHandle,
  { size, blocks }: BlockDigests,
  changed: () => Error,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  for (let number = 0, position = 0; ; number += 1) {
    const block = await readBlock(handle, Buffer.allocUnsafe(blockSize), position);
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

/** By position, so that all passes read the same file even if another takes its name; a short read is no end. */
async function readBlock(handle: FileHandle, memory: Buffer, position: number): Promise<Buffer> {
  let filled = 0;
  while (filled < memory.length) {
    const { bytesRead } = await handle.read(memory, filled, memory.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return memory.subarray(0, filled);
}
