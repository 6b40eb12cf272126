import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { errorCode } from '../../text/error-code.ts';
import { quotePath } from '../../text/shell-quote.ts';
import { type LineWriter, openLineWriter } from './line-writer.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Without blocking, so that a pipe which nobody reads stops a log and not the process. */
const appending = O_WRONLY | O_APPEND | O_NONBLOCK;

/** The account that a file belongs to, by the numbers of user and group. */
export type FileOwner = Pick<Stats, 'uid' | 'gid'>;

/** The file belongs to another account than the database; `remedy` is the command that gives it to the owner of the database. */
export class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError';
  readonly remedy: string;

  constructor(path: string, { uid, gid }: FileOwner) {
    super('it belongs to another account than the database');
    this.remedy = `Give it to the owner of the database: chown -h ${uid}:${gid} ${quotePath(path)}`;
  }
}

/** Where the lines of a log go. */
export interface AuditSink extends Pick<LineWriter, 'write'> {
  close(): void;
}

/**
 * Opens a file for appending that only its owner can read. If it is moved away, the next lines go to a new file, so that a rotation
 * needs no signal. `owner`: whose file it must be if this process is root's and others may put a link in its place. Throws the
 * system's error, or a `ForeignFileError`.
 */
export function openAuditFile(path: string, owner?: FileOwner): AuditSink {
  const open = () => (owner ? openForOwner(path, owner) : openSync(path, appending | O_CREAT, 0o600));
  let file = open();

  function followPath(): number {
    const there = statSync(path, { throwIfNoEntry: false });
    const { ino, dev } = fstatSync(file);
    if (there?.ino === ino && there.dev === dev) return file;
    const next = open();
    closeSync(file);
    file = next;
    return file;
  }

  if (endsWithin(path, file)) writeSync(file, '\n');
  const { write } = openLineWriter(followPath);
  return { write, close: () => closeSync(file) };
}

/**
 * Opens a file as root where another account may put something else in its place: a link is not followed, a pipe is not waited for,
 * and the file must be of `owner`. A new one is given to them, as SQLite does with the files that it makes beside the database.
 */
function openForOwner(path: string, owner: FileOwner): number {
  const flags = appending | O_NOFOLLOW;
  const made = unlessThere(() => openSync(path, flags | O_CREAT | O_EXCL, 0o600));
  const file = made ?? openSync(path, flags);
  try {
    if (made !== undefined) fchownSync(file, owner.uid, owner.gid);
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error('it is no regular file');
    if (found.uid !== owner.uid) throw new ForeignFileError(path, owner);
    return file;
  } catch (cause) {
    closeSync(file);
    throw cause;
  }
}

function unlessThere(make: () => number): number | undefined {
  try {
    return make();
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') throw cause;
    return undefined;
  }
}

/**
 * True if the file ends within a line, left by a process that died or by a full disk. It is opened again for this: a service that
 * could read from a pipe would never learn that its reader is gone.
 */
function endsWithin(path: string, file: number): boolean {
  const found = fstatSync(file);
  if (!found.isFile() || found.size === 0) return false;
  const again = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const last = Buffer.alloc(1);
    return readSync(again, last, 0, 1, found.size - 1) === 1 && last.toString() !== '\n';
  } finally {
    closeSync(again);
  }
}
