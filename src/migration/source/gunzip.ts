import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../../text/error-code.ts';
import { SourceError } from '../model/errors.ts';

/** True for the beginning of a gzip archive. */
export function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Decompresses a gzip archive, in chunks. Throws a `SourceError` if the archive is damaged or cut short. */
export async function* gunzip(file: string, blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const archive = createGunzip();
  pipeline(Readable.from(copies(blocks)), archive, () => {});
  try {
    yield* archive;
  } catch (failure) {
    if (!/^Z_/.test(errorCode(failure) ?? '')) throw failure;
    throw new SourceError(file, 'the gzip archive is damaged or cut short; copy it again from its source');
  }
}

/** Copies each block: the stream may queue several, and the reader of the file reuses their memory. */
async function* copies(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  for await (const block of blocks) yield Buffer.from(block);
}
