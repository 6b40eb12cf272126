import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { uniqueDraftOf } from '../../migration/directory/job-files.ts';
import { renameDurably } from '../../migration/directory/replace-file.ts';
import { quotePath } from '../../text/shell-quote.ts';
import type { ResultFile } from '../context/context.ts';
import { ConfigurationError, ResultFileError, UsageError } from '../errors/errors.ts';
import { systemFaultOf } from '../errors/system-fault.ts';

/** Opens `--output-file` for its owner only. Throws a `UsageError` if it is not a file, a `ConfigurationError` if writing fails. */
export function openResultFile(file: string): ResultFile {
  const target = targetOf('--output-file', file);
  const directory = dirname(target);
  if (!existsSync(directory)) {
    throw new ConfigurationError(
      `there is no directory ${directory} for --output-file ${file}`,
      `Correct the path, or run: mkdir -p ${quotePath(directory)}`,
    );
  }
  const fresh = uniqueDraftOf(target);
  const handle = failingWith(file, () => openSync(fresh, 'wx', 0o600));
  let isOver = false;
  let isTried = false;
  const close = () => {
    isOver = true;
    closeSync(handle);
  };
  return {
    output: Object.assign(new Writable(), {
      // Written synchronously: a stream would report a full disk too late, or only as an event.
      write(text: string) {
        failingWith(file, () => writeAll(handle, Buffer.from(text)));
        return true;
      },
    }),
    replace() {
      if (isTried) return;
      isTried = true;
      failingWith(file, () => fsyncSync(handle));
      close();
      failingWith(file, () => renameDurably(fresh, target));
    },
    discard() {
      if (!isOver) close();
      rmSync(fresh, { force: true });
    },
  };
}

/**
 * Resolves links to the file that an option names. Throws a `UsageError` for anything else, such as a device, which replacing would
 * destroy.
 */
export function targetOf(option: string, file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return file;
  if (found.isFile()) return realpathSync(file);
  throw new UsageError(
    `${option} ${file} is ${found.isDirectory() ? 'a directory' : 'no file'}`,
    'Name a file, which is made or replaced.',
  );
}

function writeAll(handle: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
}

function failingWith<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    const fault = systemFaultOf(cause);
    throw fault ? new ResultFileError(`${file} cannot be written: ${fault.reason}`, fault.remedy) : cause;
  }
}
