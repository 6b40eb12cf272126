import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';

/**
 * Opens a file that only grows, for its owner's eyes only. It may be moved away at any time: then the next lines go to a new
 * one, so that a rotation needs no signal. `write` returns the number of bytes that were written.
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

/** Has a process that died, or a full disk, left half a line at the end? */
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
