import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { parseTime } from '../../contract/time.ts';
import type { Shard } from '../../migration/model/shard.ts';
import type { FailureLimit } from '../../migration/send/circuit-breaker.ts';
import { hasPassword, isPostgres } from '../../text/database-location.ts';
import { UsageError } from '../errors/errors.ts';

/** Option parser: a whole number from 0. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

/** Option parser: a whole number within bounds, both included. */
export function numberBetween(min: number, max: number) {
  return (text: string): number => {
    const value = wholeNumber(text);
    if (value < min || value > max) throw new InvalidArgumentError(`must be between ${min} and ${max}`);
    return value;
  };
}

/** Option parser: a number above 0. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1e6)) throw new InvalidArgumentError('must be a number greater than 0');
  return value;
}

/** Option parser: names between commas. */
export function commaList(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('must be names separated by commas');
  return names;
}

/** Option parser of a repeatable `KEY=VALUE`. */
export function keyValue(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('must be KEY=VALUE');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Option parser of a repeatable file. */
export function severalFiles(file: string, before: string[] | undefined): string[] {
  return [...(before ?? []), file];
}

/** True for what an HTTP header carries safely: printable ASCII, no blank at either end. */
export function isHeaderText(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

/** Option parser: text that travels in an HTTP header. */
export function headerText(text: string): string {
  if (isHeaderText(text)) return text;
  throw new InvalidArgumentError('must be printable ASCII, since it is sent in an HTTP header');
}

/**
 * Option parser: a SQLite file, `:memory:` or `postgres://…`. Throws `UsageError` for an address with a password: every
 * user of the machine can read the arguments of a process.
 */
export function parseDatabase(text: string): string {
  if (isPostgres(text) && hasPassword(text)) {
    throw new UsageError(
      'the database URL contains a password, which other users of this machine could read',
      'Remove it from the URL, and set PGPASSWORD or use ~/.pgpass.',
    );
  }
  return text;
}

/** Most rows on the wire at the same time that can be asked for; `auto` finds 256 at most. */
export const mostConcurrent = 512;

/** Option parser: a number of rows, or `auto`. */
export function concurrency(text: string): number | 'auto' {
  return text === 'auto' ? text : numberBetween(1, mostConcurrent)(text);
}

/** Option parser: a number of rows, or a share such as `5%` or `0.5%`. */
export function failureLimit(text: string): FailureLimit {
  const [, number = '', percent] = /^(\d{1,9}(?:\.\d{1,4})?)(%)?$/.exec(text) ?? [];
  const value = Number(number);
  if (number !== '' && percent && value <= 100) return { share: value / 100 };
  if (/^\d+$/.test(text)) return { rows: value };
  throw new InvalidArgumentError('must be a number of rows or a percentage, such as 5%');
}

/** Option parser: `N/s`, a whole number of requests a second from 1. */
export function ratePerSecond(text: string): number {
  const rate = Number(/^(\d{1,6})\/s$/.exec(text)?.[1] ?? 0);
  if (rate < 1) throw new InvalidArgumentError('must be a number of requests per second, such as 100/s');
  return rate;
}

/** Option parser: `I/N`, the I-th of N shares. */
export function parseShard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > of) throw new InvalidArgumentError('must be I/N, such as 2/3, with I from 1 to N');
  return { index, of };
}

/** Option parser: a time as the API writes it, or a day, which stands for its first second. */
export function parseTimeOption(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text} 00:00:00` : text.replace('T', ' ');
  if (parseTime(time) === undefined)
    throw new InvalidArgumentError('must be yyyy-MM-dd or yyyy-MM-dd HH:mm:ss');
  return time;
}

/** A hidden option that is refused with the name of the one that took its place. */
export function renamedOption(old: string, current: string): Option {
  return new Option(`${old} [value]`)
    .hideHelp()
    .preset('')
    .argParser(() => {
      throw new UsageError(`${old} was renamed to ${current}`, `Use ${current}.`);
    });
}
