import { isIP } from 'node:net';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type HashAlgorithm, hashAlgorithms } from '../../contract/attributes.ts';
import { parseTime } from '../../contract/time.ts';
import type { RowLimit } from '../../migration/model/row-limit.ts';
import type { Shard } from '../../migration/model/shard.ts';
import type { ColumnOptions } from '../../migration/rows/fields/column-options.ts';
import { type WarningCode, warningCodes } from '../../migration/rows/issues/issues.ts';
import { type Delimiter, delimiterNamed } from '../../migration/source/detect-delimiter.ts';
import { type EncodingName, encodingNamed, encodings } from '../../migration/source/encodings.ts';
import { hasPassword, isPostgres, refusedLocation } from '../../text/locations/database-location.ts';
import { UsageError } from '../errors/errors.ts';

// Each parses the value of an option. One with a second parameter adds to earlier uses of its option; any other option is
// refused when it is given twice.

const mostWhole = 999_999_999;

export function parseWholeNumber(text: string): number {
  const value = wholeNumber(text);
  if (value > mostWhole) throw new InvalidArgumentError(`must be at most ${mostWhole}`);
  return value;
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

export function parseNumberBetween(min: number, max: number) {
  return (text: string): number => {
    const value = wholeNumber(text);
    if (value < min || value > max) throw new InvalidArgumentError(`must be between ${min} and ${max}`);
    return value;
  };
}

/** Option parser: a number above 0 and below a million. */
export function parsePositiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('must be a number greater than 0');
  if (value >= 1e6) throw new InvalidArgumentError('must be less than 1000000');
  return value;
}

export function parseCommaList(text: string, before?: readonly string[]): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('must be names separated by commas');
  return [...(before ?? []), ...names];
}

/** Option parser: a repeatable `--extension KEY=VALUE`. Throws a `UsageError` for a key that was given before. */
export function parseKeyValue(text: string, before: Record<string, string> | undefined) {
  const [key, value] = pair(text, 'KEY=VALUE');
  if (before && Object.hasOwn(before, key))
    throw new UsageError(`--extension ${key} is given more than once`, 'Give it once: which value is meant?');
  return { ...before, [key]: value };
}

export function parseFiles(file: string, before: string[] | undefined): string[] {
  return [...(before ?? []), file];
}

/** True for text that an HTTP header carries safely: printable ASCII, without a space at either end. */
export function isHeaderText(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

/** Option parser: a name of 1 to 100 characters on one line, for people who read a list. */
export function parseLabel(text: string): string {
  // Words of some scripts need the zero-width joiner or non-joiner.
  if (text.length <= 100 && !/(?![\u200c\u200d])\p{C}|\p{Zl}|\p{Zp}/u.test(text)) return text;
  throw new InvalidArgumentError('must be one line of at most 100 characters');
}

export function parseHeaderText(text: string): string {
  if (isHeaderText(text)) return text;
  throw new InvalidArgumentError('must be printable ASCII, since it is sent in an HTTP header');
}

/**
 * Option parser: a SQLite file, `:memory:` or `postgres://…`. Throws a `UsageError` for a data file such as CSV, and
 * for a URL with a password, because every user of the machine can read the arguments of a process.
 */
export function parseDatabase(text: string): string {
  const refused = refusedLocation(text);
  if (refused) throw new UsageError(refused.reason, refused.hint);
  if (isPostgres(text) && hasPassword(text)) {
    throw new UsageError(
      'the database URL contains a password, which other users of this machine could read',
      'Remove it from the URL, and set PGPASSWORD or use ~/.pgpass.',
    );
  }
  // Last, because it shows the text.
  if (/[.](?:csv|tsv|txt|jsonl?|ndjson|xlsx?|ods)$/i.test(text)) {
    throw new UsageError(
      `${text} has the name of a file of data, not of a database`,
      'Name a database, such as own.db. To import users from a file: tenant-users import-hashes --help',
    );
  }
  return text;
}

/** Maximum number of requests in flight, for `--concurrency` as well as for `auto`. */
export const maxConcurrency = 512;

export function parseConcurrency(text: string): number | 'auto' {
  return text === 'auto' ? text : parseNumberBetween(1, maxConcurrency)(text);
}

/** Option parser: a number of rows, or a percentage such as `5%` or `0.5%`. */
export function parseRowLimit(text: string): RowLimit {
  // As many digits as a number holds exactly.
  if (/^\d{1,15}$/.test(text)) return { rows: Number(text) };
  const percent = Number(/^(\d{1,3}(?:\.\d{1,4})?)%$/.exec(text)?.[1] ?? Number.NaN);
  if (percent <= 100) return { fraction: percent / 100 };
  throw new InvalidArgumentError('must be a number of rows or a percentage, such as 5%');
}

/** Option parser: `N/s`, a whole number of requests per second from 1. */
export function parseRate(text: string): number {
  const rate = Number(/^(\d{1,6})\/s$/.exec(text)?.[1] ?? 0);
  if (rate < 1) throw new InvalidArgumentError('must be requests per second, written such as 100/s');
  return rate;
}

/** Option parser: an http or https URL without credentials, query or fragment; a slash at its end is removed. */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The usual message would repeat the password.
  if (url?.username || url?.password)
    throw new UsageError('--public-url must not contain credentials', 'Example: https://users.example.com');
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new InvalidArgumentError('must be a URL such as https://users.example.com');
  return url.href.replace(/\/$/, '');
}

/** Option parser: IP addresses and networks, separated by commas; those of an earlier use of the option are added. */
export function parseNetworks(text: string, before?: readonly string[]): string[] {
  const networks = text.split(',').map((one) => one.trim());
  for (const network of networks) {
    const [address = '', prefix, ...more] = network.split('/');
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most);
    if (version === 0 || !isPrefix || more.length > 0)
      throw new InvalidArgumentError('must be IP addresses or networks, such as 10.0.0.7 or 10.0.0.0/8');
  }
  return [...(before ?? []), ...networks];
}

export function parseShard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > of) throw new InvalidArgumentError('must be I/N, such as 2/3, with I from 1 to N');
  return { index, of };
}

/** Option parser: a time in the format of the API, or a day, which stands for its first second. */
export function parseTimeOption(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text} 00:00:00` : text.replace('T', ' ');
  if (parseTime(time) === undefined)
    throw new InvalidArgumentError('must be yyyy-MM-dd or yyyy-MM-dd HH:mm:ss');
  return time;
}

/** Option parser: a time in UTC, converted to the format of the logs. */
export function parseUtcTime(text: string): string {
  return `${parseTimeOption(text).replace(' ', 'T')}.000Z`;
}

/** Option parser: a repeatable `--map FIELD=COLUMN`; a column may have any name, even one with `=`. */
export function parseMapping(text: string, before: ColumnOptions['map']): NonNullable<ColumnOptions['map']> {
  const [field, column] = pair(text, 'FIELD=COLUMN');
  return [...(before ?? []), { field, column }];
}

export function parseConstant(text: string, before: ColumnOptions['set']): NonNullable<ColumnOptions['set']> {
  const [field, value] = pair(text, 'FIELD=VALUE');
  return [...(before ?? []), { field, value }];
}

export function parseEncoding(text: string): EncodingName {
  const found = encodingNamed(text);
  if (!found) throw new InvalidArgumentError(`must be one of ${Object.keys(encodings).join(', ')}`);
  return found;
}

export function parseHeader(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('') || new Set(names).size < names.length)
    throw new InvalidArgumentError('must be different names separated by commas, such as id,login,pwd');
  return names;
}

export function parseDelimiter(text: string): Delimiter {
  const found = delimiterNamed(text);
  if (!found) throw new InvalidArgumentError('must be , ; | or tab');
  return found;
}

export function parseAlgorithm(text: string): HashAlgorithm | 'infer' {
  const found = [...hashAlgorithms, 'infer' as const].find((name) => name === text);
  if (!found) throw new InvalidArgumentError(`must be one of ${hashAlgorithms.join(', ')}, or infer`);
  return found;
}

export function parseWarning(text: string, before?: readonly WarningCode[]): readonly WarningCode[] {
  const found = warningCodes.find((code) => code === text);
  if (!found) throw new InvalidArgumentError(`must be one of ${warningCodes.join(', ')}`);
  return [...(before ?? []), found];
}

function pair(text: string, shape: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError(`must be ${shape}`);
  return [text.slice(0, at), text.slice(at + 1)];
}
