import { attributeNames, attributes } from '../contract/attributes.ts';
import type { HashedPassword, HashedUser } from '../contract/wire.ts';
import { type CellCheck, cellChecks } from './cell-checks.ts';
import { SourceError } from './source-error.ts';

/** A user in the making; what the row leaves empty stays empty. */
export interface Draft {
  user: HashedUser;
  password: { [Part in keyof HashedPassword]-?: string };
}

/** What is done with the cells of one column. */
interface Column {
  index: number;
  /** As the header spells it. */
  name: string;
  check: CellCheck | undefined;
  set: (draft: Draft, value: string) => void;
}

/** A header, compiled once. */
export interface Columns {
  header: readonly string[];
  /** Columns that mean something, in the order of the header. */
  known: Column[];
  /** Names by which findings call the parts of the password. */
  passwordNames: { [Part in keyof HashedPassword]-?: string };
}

/** Choices of the caller about the columns. */
export interface ColumnOptions {
  /** Let columns pass that mean nothing here. */
  ignoreUnknown?: boolean;
  /** Let a file pass that has neither algorithms nor hashes. */
  allowPasswordless?: boolean;
}

type Field = Pick<Column, 'check' | 'set'> & { target: string };

/** Spellings of the parts of `hash-pwd` (§2.3); the first is the one to recommend. */
const passwordColumns = {
  algorithm: ['algorithm', 'hash-pwd.algorithm'],
  value: ['hash', 'value', 'hash-pwd.value'],
  key: ['key', 'hash-pwd.key'],
} as const satisfies { [Part in keyof HashedPassword]-?: readonly [string, ...string[]] };

type PasswordPart = keyof typeof passwordColumns;
const passwordParts = Object.keys(passwordColumns) as PasswordPart[];

const extensionPrefix = 'extension.';
const fields = new Map<string, Field>(fieldEntries());

/** Gives each column its meaning. Throws a `SourceError` for unknown, repeated and missing columns. */
export function compileColumns(
  file: string,
  line: number,
  header: readonly string[],
  options: ColumnOptions,
): Columns {
  const known: Column[] = [];
  const unknown: number[] = [];
  const taken = new Map<string, number>();
  for (const [index, name] of header.entries()) {
    const field = fields.get(name) ?? extensionField(name);
    if (!field) {
      unknown.push(index);
      continue;
    }
    const before = taken.get(field.target);
    if (before !== undefined) {
      const fault = `columns ${before + 1} and ${index + 1} both give ${field.target}; leave one out`;
      throw new SourceError(file, fault, line);
    }
    taken.set(field.target, index);
    known.push({ index, name, check: field.check, set: field.set });
  }
  if (known.length === 0) throw new SourceError(file, noHeader(), line);
  if (unknown.length > 0 && !options.ignoreUnknown) {
    throw new SourceError(file, unknownColumns(header, unknown), line);
  }
  requirePassword(file, line, taken, options.allowPasswordless ?? false);
  const nameOf = (part: PasswordPart) => header[taken.get(part) ?? -1] ?? passwordColumns[part][0];
  const passwordNames = { algorithm: nameOf('algorithm'), value: nameOf('value'), key: nameOf('key') };
  return { header, known, passwordNames };
}

function fieldEntries(): [string, Field][] {
  const values = attributeNames.map((name): [string, Field] => {
    const set = (draft: Draft, value: string) => {
      draft.user[name] = value;
    };
    return [name, { target: name, check: cellChecks[attributes[name].kind], set }];
  });
  const password = passwordParts.flatMap((part) => {
    const set = (draft: Draft, value: string) => {
      draft.password[part] = value;
    };
    return passwordColumns[part].map((name): [string, Field] => [
      name,
      { target: part, check: undefined, set },
    ]);
  });
  const mustModify: Field = {
    target: 'pwd_must_modify',
    check: cellChecks.flag,
    set: (draft, value) => {
      draft.user.pwd_must_modify = value === 'true';
    },
  };
  return [...values, ['pwd_must_modify', mustModify], ...password];
}

function extensionField(name: string): Field | undefined {
  const key = name.startsWith(extensionPrefix) ? name.slice(extensionPrefix.length) : '';
  if (key === '' || key === '__proto__') return undefined;
  const set = ({ user }: Draft, value: string) => {
    user.extension ??= {};
    user.extension[key] = value;
  };
  return { target: name, check: undefined, set };
}

function requirePassword(file: string, line: number, taken: Map<string, number>, allowed: boolean): void {
  const missing = (['algorithm', 'value'] as const).filter((part) => !taken.has(part));
  if (missing.length === 0 || (allowed && missing.length === 2)) return;
  const names = missing.map((part) => passwordColumns[part][0]).join(' and ');
  const fault = `the column ${names} is missing, so no user would have a password; add it to the header`;
  throw new SourceError(file, fault, line);
}

function unknownColumns(header: readonly string[], unknown: number[]): string {
  const names = unknown.map((index) => shownName(header[index] ?? '', index)).join(', ');
  return `unknown columns: ${names}; rename them, or ask to ignore unknown columns. Known are ${knownNames()}`;
}

/** Without any known column the line is likely a row, so nothing of it may be shown. */
function noHeader(): string {
  return `no column has a known name; the first line must be a header, comma-separated. Known are ${knownNames()}`;
}

/** A name that does not look like one may be a value: it is called by its place. */
function shownName(name: string, index: number): string {
  return /^[\p{L}_][\p{L}\p{N}_. -]{0,29}$/u.test(name) ? name : `(column ${index + 1})`;
}

function knownNames(): string {
  return [...fields.keys(), `${extensionPrefix}<key>`].join(', ');
}
