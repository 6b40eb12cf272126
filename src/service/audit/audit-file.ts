import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
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
 * needs no signal. `owner`: whose file it is if this process is root's, which then follows no link, and uses no file of another
 * account. `write` returns the number of bytes that were written.
 */
export function openAuditFile(
  path: string,
  owner?: FileOwner,
): { write(bytes: Buffer): number; close(): void } {
  const open = () =>
    owner && owner.uid !== 0 && process.geteuid?.() === 0
      ? openForOwner(path, owner)
      : openSync(path, 'a+', 0o600);
  let file = open();

  function followPath(): void {
    const there = statSync(path, { throwIfNoEntry: false });
    const { ino, dev } = fstatSync(file);
    if (there?.ino === ino && there.dev === dev) return;
    const next = open();
    closeSync(file);
    file = next;
  }

  if (endsWithin(file)) writeSync(file, '\n');
  return {
    write(bytes) {
      followPath();
      return writeSync(file, bytes);
    },
    close: () => closeSync(file),
  };
}

/**
 * Opens a file as root in a directory of another account, which could otherwise make root write elsewhere: a link is not followed,
 * and the file must be of that account. It is created with the rights of the account, not given away with `chown`; in a process of
 * its own, since `seteuid` is for all threads, which open other files meanwhile. Opening it reports what is in the way.
 */
function openForOwner(path: string, { uid, gid }: FileOwner): number {
  if (!existsSync(path)) {
    const create = ['-c', 'umask 077; : >> "$1"', 'sh', path];
    spawnSync('/bin/sh', create, { uid, gid, env: {}, stdio: 'ignore' });
  }
  const file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW);
  if (fstatSync(file).uid === uid) return file;
  closeSync(file);
  throw new Error('it belongs to another account than the database');
}

/** True if the file ends within a line, left by a process that died or by a full disk. */
function endsWithin(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
}
