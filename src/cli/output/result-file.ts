import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { isRecord } from '../../contract/is-record.ts';
import { parseJson } from '../../contract/parse-json.ts';
import { isOfJob, jobsBeside, pathIn, uniqueDraftOf } from '../../migration/directory/job-files.ts';
import { beginsWith, mayReplace, renameDurably } from '../../migration/directory/replace-file.ts';
import { quotePath } from '../../text/shell-quote.ts';
import type { CommandContext, ResultFile } from '../context/context.ts';
import { findConfigFile } from '../context/directories.ts';
import { ConfigurationError, ResultFileError, systemFaultOf, UsageError } from '../errors/errors.ts';

/** The source files of the jobs that the command names, or whose directories have the usual name of those for this file. */
export async function importedFiles(
  { paths, now }: CommandContext,
  file: string,
): Promise<readonly string[]> {
  const named = paths.filter((path) => existsSync(pathIn(path, 'journal.db')));
  const jobs = [...named, ...jobsBeside(existsSync(file) ? realpathSync(file) : file)];
  if (jobs.length === 0) return [];
  const { readJobStatus } = await import('../../migration/records/job-status.ts');
  // Why records cannot be read is said by the command that reads them.
  const known = await Promise.all(jobs.map((path) => readJobStatus(path, now).catch(() => undefined)));
  return known.flatMap((one, at) => {
    if (!one) return [];
    const { command, status } = one;
    // The directory may have been moved since, together with the file, which was beside it or below the directory of the run.
    const parent = resolve(jobs[at] ?? '', '..');
    const places = [command?.from ?? '', parent].map((from) => resolve(from, status.file));
    return [...places, resolve(parent, basename(status.file))];
  });
}

/**
 * Opens `--output-file` for its owner only; it may be none of the files that a job has `imported`. Throws a `UsageError` if it is not a
 * file, a `ConfigurationError` if writing fails.
 */
export function openResultFile(
  context: CommandContext,
  file: string,
  imported: readonly string[],
): ResultFile {
  const target = targetOf(context, '--output-file', file, { imported });
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
        failingWith(file, () => writeFileSync(handle, text));
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
 * Resolves links to the file that an option names, which is made or replaced. Throws a `UsageError` for what replacing would destroy:
 * a device or a directory, a file that the command reads, one of a job, a key, evidence, a database or a file beside it, a file that
 * a job has `imported`, and, with `own`, everything that does not begin like an earlier result: a `list` or a `page`.
 */
export function targetOf(
  context: CommandContext,
  option: string,
  file: string,
  {
    own,
    imported = [],
  }: { own?: { begin: string; what: 'list' | 'page' }; imported?: readonly string[] } = {},
) {
  const found = statSync(file, { throwIfNoEntry: false });
  const path = found ? realpathSync(file) : file;
  if (found && !found.isFile())
    throw new UsageError(
      `${option} ${file} is ${found.isDirectory() ? 'a directory' : 'no file'}`,
      'Name a file, which is made or replaced.',
    );
  const isThis = (named: string | undefined) => found !== undefined && isSame(named, found);
  const isDatabase = (name: string) => existsSync(name) && beginsWith(name, 'SQLite format 3');
  const config = findConfigFile(context);
  const kinds: [isKept: boolean, what: string][] = [
    [isThis(config), 'is also read by this command'],
    [context.paths.filter(isThis).length > 1, 'is also read by this command'],
    [context.paths.map(plannedFile).some(isThis), 'is also read by this command'],
    [isThis(context.env.TENANT_USERS_KEY_FILE), 'is the key file of TENANT_USERS_KEY_FILE'],
    [isOfJob(path), 'is a file of a job'],
    [imported.some(isThis), 'is the file that a job imported'],
    [isDatabase(path), 'is a database'],
    [/-(?:wal|shm|journal)$/.test(path) && isDatabase(path.replace(/-\w+$/, '')), 'is part of a database'],
    [found !== undefined && /\.audit\.jsonl(?:\.\d+)?$/.test(path), 'is the audit log of a database'],
    [isThis(config && join(dirname(config), 'audit.jsonl')), 'is the audit log of a database'],
    [found !== undefined && found.size < largestKey && isKey(readFileSync(path, 'utf8').trim()), 'is a key'],
    [found !== undefined && beginsWith(path, '{"evidence":'), 'is evidence'],
    [own !== undefined && !mayReplace(path, own.begin), `is there, and no ${own?.what} of this program`],
  ];
  const kept = kinds.find(([isKept]) => isKept);
  if (!kept) return path;
  throw new UsageError(`${option} ${file} ${kept[1]}`, `Name another file with ${option}.`);
}

/** The file that a plan in this directory was made for, which is read when the plan is applied. */
function plannedFile(directory: string): string | undefined {
  const path = pathIn(directory, 'plan.json');
  const isPlan = existsSync(path) && statSync(path).isFile();
  const plan = isPlan ? parseJson(readFileSync(path, 'utf8')) : undefined;
  const file = isRecord(plan) && isRecord(plan.file) ? plan.file.path : undefined;
  return typeof file === 'string' ? file : undefined;
}

/** Most bytes of a file that may be a key: a private one of RSA in PEM has 3,300 with 4,096 bits. */
const largestKey = 16_384;

/** True for the text of a key file of `serve`, of evidence or of an HMAC, and for keys and certificates in PEM. */
function isKey(text: string): boolean {
  return /^(?:[\w+/-]{43}=?|[0-9a-f]{32,}|-----BEGIN [\s\S]*)$/i.test(text);
}

function isSame(path: string | undefined, { dev, ino }: Stats): boolean {
  if (path === undefined || !existsSync(path)) return false;
  const named = statSync(path);
  return named.dev === dev && named.ino === ino;
}

function failingWith<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    const fault = systemFaultOf(cause);
    throw fault ? new ResultFileError(`${file} cannot be written: ${fault.reason}`, fault.remedy) : cause;
  }
}
