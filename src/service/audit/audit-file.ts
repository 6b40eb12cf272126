import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';

/** The account that a file belongs to, by the numbers of user and group. */
export type FileOwner = Pick<Stats, 'uid' | 'gid'>;

/**
 * Opens a file for appending that only its owner can read. If it is moved away, the next lines go to a new file, so that a rotation
 * needs no signal. `owner`: whose file it is if root creates it. `write` returns the number of bytes that were written.
 */
export function openAuditFile(
  path: string,
  owner?: FileOwner,
): { write(bytes: Buffer): number; close(): void } {
  let file = open();

  function open(): number {
    if (owner && !existsSync(path)) createForOwner(path, owner);
    return openSync(path, 'a', 0o600);
  }

  function followPath(): void {
    const there = statSync(path, { throwIfNoEntry: false });
    const { ino, dev } = fstatSync(file);
    if (there?.ino === ino && there.dev === dev) return;
    const next = open();
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

/**
 * As root, creates a file with the rights of an account. Not with `chown`: the owner of its directory could make root
 * give away a file elsewhere. In a process of its own, since `seteuid` is for all threads, which open other files meanwhile.
 * Whatever is in the way is reported when the file is opened.
 */
function createForOwner(file: string, { uid, gid }: FileOwner): void {
  if (process.geteuid?.() !== 0 || uid === 0) return;
  spawnSync('/bin/sh', ['-c', 'umask 077; : >> "$1"', 'sh', file], { uid, gid, env: {}, stdio: 'ignore' });
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
