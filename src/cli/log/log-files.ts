import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../text/error-code.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { systemFaultOf } from '../errors/system-fault.ts';

/** Bytes from which a file of the log is followed by the next, and how many files are kept. */
const mostBytes = 4 * 2 ** 20;
const mostFiles = 10;

const fileName = /^\d{6}\.jsonl$/;

/** Where the log of this account on this machine is. */
export function logDirectory({ stateDirectory }: Pick<CommandContext, 'stateDirectory'>): string {
  return join(stateDirectory, 'log');
}

/** True where the account wants no log. */
export function isLogOff({ env }: Pick<CommandContext, 'env'>): boolean {
  return Boolean(env.TENANT_USERS_NO_LOG);
}

/**
 * Appends a line, for its owner's eyes only. Each line is one write at the end of the file, so that commands can run at the same
 * time. No file is ever renamed: a full one is followed by the next number, and the oldest is deleted. Throws the system's error.
 */
export function appendLine(context: CommandContext, line: object): void {
  const directory = logDirectory(context);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const names = namesIn(directory);
  const last = names.at(-1) ?? nameOf(1);
  const isFull = (statSync(join(directory, last), { throwIfNoEntry: false })?.size ?? 0) >= mostBytes;
  const name = isFull ? nameOf(Number.parseInt(last, 10) + 1) : last;
  appendFileSync(join(directory, name), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  if (!isFull) return;
  for (const old of names.slice(0, 1 - mostFiles)) rmSync(join(directory, old), { force: true });
}

/** The lines of the log, the latest first, a file at a time. Throws a `ConfigurationError`. */
export function* readLines(context: CommandContext): Generator<string[]> {
  const directory = logDirectory(context);
  for (const name of fileNames(directory).reverse()) {
    yield textOf(join(directory, name))
      .split('\n')
      .filter((line) => line !== '')
      .reverse();
  }
}

/** Paths of the files of the log, the oldest first. Throws a `ConfigurationError`. */
function fileNames(directory: string): string[] {
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
    // Another command has deleted it meanwhile, as the oldest.
    if (errorCode(cause) === 'ENOENT') return '';
    throw unreadable(file, cause);
  }
}

function unreadable(path: string, cause: unknown): unknown {
  const fault = systemFaultOf(cause);
  return fault ? new ConfigurationError(`the log ${path} cannot be read: ${fault.reason}`, '') : cause;
}

function namesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => fileName.test(name))
    .sort();
}

function nameOf(number: number): string {
  return `${String(number).padStart(6, '0')}.jsonl`;
}
