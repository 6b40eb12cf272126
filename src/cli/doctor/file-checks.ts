import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FoundFile, recogniseFile } from '../../migration/directory/job-files.ts';
import { formatCount } from '../../text/format-count.ts';
import { hasModes } from '../config/permissions.ts';
import type { CommandContext } from '../context/context.ts';
import { findConfigFile } from '../context/directories.ts';
import { logDirectory, logFileNames } from '../log/log-files.ts';
import { type CheckResult, type Fix, failedBy, fine, fixable, skipped, warned } from './check.ts';

const mostJobs = 20;

/** Checks that the program's files on this machine are private, and that no killed process has left any behind. */
export async function checkFiles(context: CommandContext): Promise<CheckResult[]> {
  return [...(await checkLog(context)), checkLeftovers(context), checkCompiledCode(context)];
}

const minute = 60_000;
const hour = 60 * minute;

/** Checks the log, and the jobs that it names. Without a log that can be read, commands go on. */
async function checkLog(context: CommandContext): Promise<CheckResult[]> {
  let log: string;
  let logFiles: string[];
  try {
    log = logDirectory(context);
    logFiles = logFileNames(log).map((name) => join(log, name));
  } catch (failure) {
    const { message, hint } = failedBy('log', failure);
    return [warned('log', message, hint), skipped('jobs', 'there is no log to read')];
  }
  return [checkPrivate('log', logFiles.length > 0 ? [log] : [], logFiles), await checkJobs(context)];
}

async function checkJobs(context: CommandContext): Promise<CheckResult> {
  let directories: string[];
  try {
    const { listRuns } = await import('../log/list-runs.ts');
    const { listed } = await listRuns(context, mostJobs);
    directories = listed.filter(({ state }) => state !== 'running').map(({ directory }) => directory);
  } catch (failure) {
    return failedBy('jobs', failure);
  }
  const filesOf = (isMeant: (file: FoundFile) => boolean) =>
    directories.flatMap((directory) =>
      filesIn(directory, (name) => {
        const found = recogniseFile(name);
        return found !== undefined && isMeant(found);
      }),
    );
  const files = filesOf(({ state, isForOthers }) => state !== 'draft' && !isForOthers);
  const leftovers = filesOf(({ state }) => state === 'draft').flatMap((file) =>
    abandoned(file, context.now(), hour),
  );
  return checkPrivate('jobs', [], files, leftovers);
}

/** Checks that others cannot write to `directories`, and have no access to `files`. */
function checkPrivate(
  name: string,
  directories: readonly string[],
  files: readonly string[],
  leftovers: readonly Fix[] = [],
): CheckResult {
  const fixes = [...looseFiles(files, directories), ...leftovers];
  if (files.length + leftovers.length === 0) return skipped(name, 'there are no files yet');
  if (fixes.length === 0)
    return fine(name, `${formatCount(files.length, 'file')}${hasModes ? ', for this account only' : ''}`);
  return fixable(name, describeFixes(fixes), fixes);
}

function checkLeftovers(context: CommandContext): CheckResult {
  const config = findConfigFile(context);
  if (config === undefined) return skipped('leftovers', 'there is no place for the configuration');
  const fixes = [
    ...abandoned(`${config}.lock`, context.now(), minute),
    ...filesIn(dirname(config), isTemporaryOf(config)).flatMap((file) =>
      abandoned(file, context.now(), hour),
    ),
  ];
  return fixes.length === 0
    ? fine('leftovers', 'none of a process that was killed')
    : fixable('leftovers', describeFixes(fixes), fixes);
}

/** Checks the compiled code that earlier runs have stored. Commands start more slowly if it cannot be used. */
function checkCompiledCode({ compiledDirectory, now }: CommandContext): CheckResult {
  const name = 'compiled code';
  const found = compiledDirectory === undefined ? undefined : statOf(compiledDirectory);
  if (compiledDirectory === undefined || !found)
    return skipped(name, 'none is kept: the first commands after an installation make it');
  const loose: Fix[] =
    hasModes && isOwn(found) && (found.mode & 0o022) !== 0
      ? [{ action: 'chmod go-w', path: compiledDirectory }]
      : [];
  const leftovers = filesIn(compiledDirectory, (name) => /\.code\.\d+$/.test(name)).flatMap((file) =>
    abandoned(file, now(), hour),
  );
  const unreadable = filesIn(compiledDirectory, (name) => name.endsWith('.code')).flatMap((file) =>
    deletionOf(file, ({ mode }) => (mode & 0o400) === 0),
  );
  const fixes = [...loose, ...leftovers, ...unreadable];
  return fixes.length === 0
    ? fine(name, 'kept, so that commands start fast')
    : fixable(name, describeFixes(fixes), fixes);
}

/** Fixes that make `files` private, and `directories` writable by this account only. None on Windows, which has no modes. */
export function looseFiles(files: readonly string[], directories: readonly string[]): Fix[] {
  if (!hasModes) return [];
  const loose = (paths: readonly string[], mask: number, action: 'chmod 600' | 'chmod 700') =>
    paths.flatMap((path) => {
      const found = statOf(path);
      return found && isOwn(found) && (found.mode & mask) !== 0 ? [{ action, path }] : [];
    });
  return [...loose(directories, 0o022, 'chmod 700'), ...loose(files, 0o077, 'chmod 600')];
}

/** The fix that deletes a file, if it is not a link, belongs to this account, and has not changed for `age` milliseconds. */
function abandoned(path: string, now: number, age: number): Fix[] {
  return deletionOf(path, ({ mtimeMs }) => now - mtimeMs > age);
}

function deletionOf(path: string, isMeant: (found: Stats) => boolean): Fix[] {
  const found = statOf(path);
  return found && isOwn(found) && isMeant(found) ? [{ action: 'delete', path, changed: found.mtimeMs }] : [];
}

/** Matches names that the library that writes the configuration gives to its temporary files. */
function isTemporaryOf(file: string): (name: string) => boolean {
  const prefix = `${basename(file)}.tmp-`;
  return (name) => name.startsWith(prefix) && /^\d{10}[\da-f]{6}$/.test(name.slice(prefix.length));
}

const said: Record<Fix['action'], string> = {
  'chmod 600': 'can be read by others',
  'chmod 700': 'can be written by others',
  'chmod go-w': 'can be written by others, so that the code in it is not taken',
  delete: 'is of a process that was killed',
};

function describeFixes(fixes: readonly Fix[]): string {
  return fixes.map(({ action, path }) => `${path} ${said[action]}`).join('; ');
}

function filesIn(directory: string, isMeant: (name: string) => boolean): string[] {
  try {
    return readdirSync(directory)
      .filter(isMeant)
      .map((name) => join(directory, name));
  } catch {
    // A directory that cannot be read has no leftovers of ours. Other checks report it.
    return [];
  }
}

function statOf(path: string): Stats | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isSymbolicLink() ? undefined : found;
  } catch {
    // A file that cannot be looked at cannot be corrected either. Other checks report it.
    return undefined;
  }
}

function isOwn({ uid }: Stats): boolean {
  return (process.getuid?.() ?? uid) === uid;
}
