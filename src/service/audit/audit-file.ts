import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';

/**
 * Opens a file for appending that only its owner can read. If it is moved away, the next lines go to a new file, so that a rotation
 * needs no signal. `write` returns the number of bytes that were written.
 */
export function openAuditFile(path: string): { write(bytes: Buffer): number; close(): void } {
  let file = openSync(path, 'a', 0o600);

  function followPath(): void {
    const there = statSync(path, { throwIfNoEntry: false });
    const { ino, dev } = fstatSync(file);
    if (there?.ino === ino && there.dev === dev) return;
    const next = openSync(path, 'a', 0o600);
    closeSync(file);
    file = next;
  }

  if (endsWithin(path)) writeSync(file, '\n');
  return {
    write(bytes) {
      followPath();
      return writeSync(file, bytes);
    },
    close: () => closeSync(file),
  };
}

/** True if the file ends within a line, left by a process that died or by a full disk. */
function endsWithin(path: string): boolean {
  const { size } = statSync(path);
  if (size === 0) return false;
  const file = openSync(path, 'r');
  try {
    const last = Buffer.alloc(1);
    return readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
  } finally {
    closeSync(file);
  }
}
