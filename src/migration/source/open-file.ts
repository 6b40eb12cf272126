import { type FileHandle, open, stat } from 'node:fs/promises';
import { errorCode } from '../../text/error-code.ts';
import { SourceError } from '../model/errors.ts';

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
      'standard input cannot be imported, since the file is read more than once; save it to a file';
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
