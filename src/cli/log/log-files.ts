import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../migration/directory/make-directory.ts';
import { errorCode } from '../../text/error-code.ts';
import { formatCount } from '../../text/format-count.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError, reasonOf, systemFaultOf } from '../errors/errors.ts';
import { warn } from '../output/show.ts';

/** Size in bytes at which the next log file is started, and the number of files that are kept. */
const mostBytes = 4 * 2 ** 20;
const mostFiles = 10;

const fileName = /^\d{6}\.jsonl$/;

export function logDirectory({ stateDirectory }: Pick<CommandContext, 'stateDirectory'>): string {
  return join(stateDirectory, 'log');
}

/** Why the log cannot be written, for people. */
export function whyNotLogged(context: CommandContext, cause: unknown): string {
  // Without a home directory there is no path to name.
  if (cause instanceof ConfigurationError) return cause.message;
  return `${logDirectory(context)} cannot be written: ${reasonOf(cause)}`;
}

/** True if the account has turned the log off with `TENANT_USERS_NO_LOG`. */
export function isLogOff({ env }: Pick<CommandContext, 'env'>): boolean {
  return Boolean(env.TENANT_USERS_NO_LOG);
}

/**
 * Appends a line to the log, which only its owner can read. Each line is one append, so commands can run at the same time. No file
 * is renamed: a full one is followed by the next number, and the oldest is deleted. Throws file system errors.
 */
export function appendLine(context: CommandContext, line: object): void {
  const directory = logDirectory(context);
  makeDirectory(directory);
  const names = namesIn(directory);
  const last = names.at(-1) ?? nameOf(1);
  const isFull = (statSync(join(directory, last), { throwIfNoEntry: false })?.size ?? 0) >= mostBytes;
  const name = isFull ? nameOf(Number.parseInt(last, 10) + 1) : last;
  appendFileSync(join(directory, name), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  if (!isFull) return;
  for (const old of names.slice(0, 1 - mostFiles)) rmSync(join(directory, old), { force: true });
}

/** Yields the lines of each log file, latest first. Throws a `ConfigurationError` if a file cannot be read. */
export function* readLines(context: CommandContext): Generator<string[]> {
  const directory = logDirectory(context);
  for (const name of logFileNames(directory).reverse()) {
    yield textOf(join(directory, name))
      .split('\n')
      .filter((line) => line !== '')
      .reverse();
  }
}

/** Names of the log files, oldest first. Throws a `ConfigurationError` if the directory cannot be read. */
export function logFileNames(directory: string): string[] {
  try {
    return namesIn(directory);
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(cause) ?? '')) return [];
    throw unreadable(directory, cause);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    // Another command has just deleted this file as the oldest.
    if (errorCode(cause) === 'ENOENT') return '';
    throw unreadable(file, cause);
  }
}

function unreadable(path: string, cause: unknown): unknown {
  const fault = systemFaultOf(cause);
  return fault
    ? new ConfigurationError(`the log ${path} cannot be read: ${fault.reason}`, fault.remedy)
    : cause;
}

function namesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => fileName.test(name))
    .sort();
}

function nameOf(number: number): string {
  return `${String(number).padStart(6, '0')}.jsonl`;
}

/** Warns if lines of the log could not be read, and if the log is turned off. */
export function sayLogState(context: CommandContext, broken: number): void {
  if (broken > 0) warn(context, `${formatCount(broken, 'line')} skipped: not written by this program`);
  if (isLogOff(context)) warn(context, 'TENANT_USERS_NO_LOG is set: nothing is added to the log');
}

/** Converts log entries to flat rows for a table or CSV. */
export function asTexts<Entry extends { time: string; target: Readonly<Record<string, string>> }>(
  entries: readonly Entry[],
): object[] {
  return entries.map(({ time, target, ...entry }) => ({
    ...entry,
    time: time.slice(0, 19).replace('T', ' '),
    target: Object.values(target).join(' '),
  }));
}
