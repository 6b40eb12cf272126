import type { HashAlgorithm } from '../../../contract/attributes.ts';
import { uniqueAttributes } from '../../../contract/normal-forms.ts';
import { guess } from '../../../text/edit-distance.ts';
import { quoteWord } from '../../../text/shell-quote.ts';
import { SourceError } from '../../model/errors.ts';
import type { IssueCode, WarningCode } from '../issues/issues.ts';
import { type Field, fieldNamed, fieldNames, knownNames } from './fields.ts';

/** The caller's options for the columns. */
export interface ColumnOptions {
  /** Maps fields to columns that have other names. */
  map?: readonly { field: string; column: string }[] | undefined;
  /** Constants for rows without a value in the field. */
  set?: readonly { field: string; value: string }[] | undefined;
  /** Algorithm of rows with a hash but no algorithm; `infer`: by the form of each hash. */
  algorithm?: HashAlgorithm | 'infer' | undefined;
  /** HMAC key for rows without one. */
  key?: string | undefined;
  /** Ignore unknown columns. */
  ignoreUnknown?: boolean;
  /** Accept rows and files without algorithms and hashes. */
  allowPasswordless?: boolean;
  /** What becomes of users whose hash the API does not accept; default `reject`. */
  foreignHashes?: 'reject' | 'passwordless';
  /** Warnings that are accepted. */
  accept?: readonly WarningCode[];
}

/** The option that maps a column to a field. */
export function mapOption(field: string, column: string): string {
  return `--map ${quoteWord(`${field}=${column}`)}`;
}

/** A constant for rows without a value in the field. */
export interface Constant {
  target: string;
  value: string;
  set: Field['set'];
}

/** Fields that cannot be the same for all users, each with the reason. */
const noConstants: Record<string, string> = {
  ...Object.fromEntries(uniqueAttributes.map((name) => [name, 'every user would have the same'])),
  external_id: 'every user would have the same',
  value: 'every user would have the same password',
  key: 'give the key with --key-file or --key-stdin',
};

/** Fields whose column can be the user name too: people log in with it. */
const namesUser: ReadonlySet<string> = new Set([...uniqueAttributes, 'external_id']);

/** True if two fields can have the same column: the user name, and another identifier. */
function mayShare(one: string, other: string): boolean {
  return [one, other].includes('user_name') && [one, other].every((target) => namesUser.has(target));
}

/** True if a column with this field of its own keeps it when the column is mapped to `mapped`. */
export function keepsOwnField(mapped: string | undefined, own: string | undefined): boolean {
  return mapped === 'user_name' && own !== undefined && own !== mapped && namesUser.has(own);
}

/**
 * Returns the fields of a column: those it is mapped to, and that of its own name, unless another column is mapped to it. A column
 * that is mapped to anything but the user name loses its own.
 */
export function fieldsOfColumn(
  name: string,
  mapped: ReadonlyMap<string, readonly Field[]>,
): readonly Field[] {
  const given = mapped.get(name) ?? [];
  const own = fieldNamed(name);
  if (!own || [...mapped.values()].flat().some(({ target }) => target === own.target)) return given;
  return given.every(({ target }) => keepsOwnField(target, own.target)) ? [...given, own] : given;
}

/**
 * Checks `map` and `set` against the known fields, and returns the fields of each mapped column. Throws a `SourceError` that names the
 * invalid option.
 */
export function checkColumnOptions(file: string, { map = [], set = [] }: ColumnOptions) {
  const mapped = new Map<string, Field[]>();
  const columnOf = new Map<string, string>();
  for (const { field: name, column } of map) {
    const field = known(file, 'map', name);
    const before = columnOf.get(field.target);
    if (before !== undefined && before !== column) {
      const fault = `--map: ${name} is mapped to two columns, ${quoted(before)} and ${quoted(column)}; remove one`;
      throw new SourceError(file, fault);
    }
    const others = (mapped.get(column) ?? []).filter(({ target }) => target !== field.target);
    const other = others.find(({ target }) => !mayShare(target, field.target));
    if (other) {
      const fault = `--map: the column ${quoted(column)} is mapped to both ${other.target} and ${name}; only user_name can share its column, with email, mobile or external_id`;
      throw new SourceError(file, fault);
    }
    columnOf.set(field.target, column);
    mapped.set(column, [...others, field]);
  }
  const constants = new Map<string, Constant>();
  for (const { field: name, value } of set) {
    const { target, check, set: apply } = known(file, 'set', name);
    const reason = noConstants[target];
    if (reason) throw new SourceError(file, `--set ${name}: ${reason}`);
    if (constants.has(target)) throw new SourceError(file, `--set ${name} is given twice; remove one`);
    if (value === '' || check?.(value, noneAccepted)) {
      throw new SourceError(file, `--set ${name}: ${quoted(value)} is not a valid value`);
    }
    if (target === 'algorithm') throw new SourceError(file, '--set algorithm: use --algorithm NAME instead');
    constants.set(target, { target, value, set: apply });
  }
  return { mapped, constants: [...constants.values()] };
}

/** A value that is given for all rows needs no consent: it can be corrected at once. */
const noneAccepted: ReadonlySet<IssueCode> = new Set();

function known(file: string, option: string, name: string): Field {
  const field = fieldNamed(name);
  if (field) return field;
  const fault = `--${option}: unknown field ${quoted(name)}. ${guess(name, fieldNames())}Available: ${knownNames()}`;
  throw new SourceError(file, fault);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
