import { writeSync } from 'node:fs';
import { errorCode } from '../../text/error-code.ts';

/** Milliseconds that a reader may take to make room in a full pipe. */
const longestWait = 100;

/** Most bytes that wait when a line is added which may be left out. */
const mostWaiting = 1 << 20;

/** Writes lines to one open file, for all who write to it: a pipe that is almost full takes a part of a line. */
export type LineWriter = ReturnType<typeof openLineWriter>;

/**
 * Opens a writer for the file that `fileNow` returns with each write. It waits for the reader of a full pipe a moment, and throws
 * `EAGAIN`; after that, it does not wait until there was room.
 */
export function openLineWriter(fileNow: () => number) {
  const never = new Int32Array(new SharedArrayBuffer(4));
  let waiting: Buffer = Buffer.alloc(0);
  let isStalled = false;

  function writeOnce(file: number): number {
    const until = performance.now() + (isStalled ? 0 : longestWait);
    for (;;) {
      try {
        const written = writeSync(file, waiting);
        isStalled = false;
        return written;
      } catch (cause) {
        if (errorCode(cause) !== 'EAGAIN') throw cause;
        isStalled = performance.now() >= until;
        if (isStalled) throw cause;
        Atomics.wait(never, 0, 0, 1);
      }
    }
  }

  function write(lines: string): void {
    waiting = Buffer.concat([waiting, Buffer.from(lines)]);
    const file = fileNow();
    while (waiting.length > 0) waiting = waiting.subarray(writeOnce(file));
  }

  return {
    /** Writes lines behind those that wait; throws the system's error, and keeps what is left for the next time. */
    write,
    /** Writes a line that may be left out: what nobody reads would take more and more memory. */
    offer(line: string): void {
      if (waiting.length > mostWaiting) return;
      try {
        write(line);
      } catch {
        // Whoever must write every line learns it from `write`.
      }
    },
  };
}

/** The writer of a stream: of one of the process that of its descriptor, since a stream would hide that it cannot be written. */
export function linesOf(stream: { write(text: string): unknown; fd?: number }): LineWriter {
  const { fd } = stream;
  if (fd !== undefined) return openLineWriter(() => fd);
  const write = (lines: string) => void stream.write(lines);
  return { write, offer: write };
}
