import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import { guess } from '../../text/edit-distance.ts';
import { quotePath } from '../../text/shell-quote.ts';
import { looksLikeHash } from '../hashes/formats.ts';
import { foreignByName } from '../hashes/infer.ts';
import { sha256 } from '../model/digests.ts';
import { SourceError } from '../model/errors.ts';
import { acceptedOnce } from '../model/job.ts';
import type { SourceFormat } from '../source/detect-format.ts';
import { usualLists } from '../source/json/usual-lists.ts';
import {
  type ColumnOptions,
  type Constant,
  checkColumnOptions,
  fieldsOfColumn,
} from './fields/column-options.ts';
import { type Field, knownNames, type PasswordPart, passwordColumns } from './fields/fields.ts';
import { fieldFinder, hasKnownName, likelyColumns, mayBePassword } from './fields/suggest-field.ts';
import { isShown, looksLikeSalt, shownList, shownName } from './ignored-columns.ts';
import type { IssueCode } from './issues/issues.ts';
import { refuseOwnList } from './own-lists.ts';
import type { PreparedSource } from './prepared-source.ts';

/** How the cells of one column are checked and used. */
interface Column extends Pick<Field, 'check' | 'maxLength' | 'role' | 'isNumbered' | 'isPersonless' | 'set'> {
  index: number;
  /** Name of the column in the file. */
  name: string;
  target: string;
  /** The value that rows get from a recipe without having one. */
  constant?: string | undefined;
}

/** The header and the caller's options, compiled once. */
export interface Columns {
  header: readonly string[];
  /** Columns that are imported, in the order of the header. */
  known: readonly Column[];
  /** Names of the columns that are not imported; a name that may be a value is replaced by its position. */
  ignored: readonly string[];
  /** Columns by which the recipe finds people who may not log in, if the file has none of them. */
  missingStatus: readonly string[];
  /** Constants for rows without a value; `index` is the column of the field, if there is one. */
  constants: readonly (Constant & { index: number | undefined })[];
  /** Names of the password columns, for issues. */
  passwordNames: { [Part in keyof HashedPassword]-?: string };
  /** Columns that are not imported but may hold salts, by index. */
  salts: readonly number[];
  /** Columns that are not imported, whose values look like those of salts. */
  mayBeSalts?: readonly string[];
  /** Columns that are not imported, whose values in the rows so far may say who may not log in, whatever they are called. */
  mayBeStatuses?: () => readonly string[];
  /** Algorithm of rows with a hash but no algorithm. */
  algorithm: HashAlgorithm | 'infer' | undefined;
  /** HMAC key for rows that need one and have none. */
  key: string | undefined;
  allowPasswordless: boolean;
  foreignHashes: 'reject' | 'passwordless';
  /** The kind of all hashes, if the recipe says that the API accepts none of them. */
  foreignKind: string | undefined;
  /** Warnings that are accepted. */
  accepted: ReadonlySet<IssueCode>;
  /** SHA-256, in hex, of everything here that changes what is sent, and of how the file is read. */
  optionsDigest: string;
}

/**
 * Assigns a field to each column. Throws a `SourceError` for unknown, repeated and missing columns, for a file without rows, and
 * for options that contradict each other or the file. `mayBeHashes`: what is then said of columns that may hold the hashes.
 */
export function compileColumns(
  source: Pick<PreparedSource, 'file' | 'header' | 'rows' | 'format' | 'reading' | 'recipe' | 'otherLists'>,
  given: ColumnOptions = {},
  mayBeHashes = '',
): Columns {
  const { file, header: record, recipe } = source;
  const options = recipe?.infers ? { algorithm: 'infer' as const, ...given } : given;
  const { line, cells: header } = record;
  const fail = (fault: string) => new SourceError(file, fault, line);
  /** The error for columns that others may have named; a file for people without passwords was written for this program. */
  const failForeign = (fault: string) => {
    const map = hasKnownName(source, fieldFinder({})) ? '' : ' --map user_name=COLUMN';
    const hint = `Nothing was sent. If another system wrote the file, make a recipe for it: tenant-users recipe make ${quotePath(file)}${map}`;
    return recipe || given.allowPasswordless || source.rows === 0
      ? fail(fault)
      : new SourceError(file, fault, line, hint);
  };
  refuseOwnList(source, false);
  const { mapped, constants } = checkColumnOptions(file, options);
  requireMapped(source, mapped.keys());
  const known: Column[] = [];
  const unknown: number[] = [];
  const taken = new Map<string, number>();
  for (const [index, name] of header.entries()) {
    const fields = fieldsOfColumn(name, mapped);
    if (fields.length === 0) unknown.push(index);
    for (const field of fields) {
      const before = taken.get(field.target);
      if (before !== undefined)
        throw fail(`columns ${before + 1} and ${index + 1} are both ${field.target}; remove one`);
      taken.set(field.target, index);
      const constant = recipe?.constants[index];
      known.push({ ...field, index, name: recipe?.columnNames[index] ?? name, constant });
    }
  }
  if (known.length === 0) throw failForeign(noHeader(header, source.format));
  if (unknown.length > 0 && !options.ignoreUnknown) throw failForeign(unknownColumns(header, unknown, taken));
  if (!recipe?.foreignKind) requirePassword(failForeign, taken, options, mayBeHashes);
  if (source.rows === 0) throw fail('the file has a header but no rows');
  const namesInFile = recipe?.columnNames ?? header;
  const nameOf = (part: PasswordPart) => namesInFile[taken.get(part) ?? -1] ?? passwordColumns[part][0];
  const sent = {
    known,
    constants: constants.map((constant) => ({ ...constant, index: taken.get(constant.target) })),
    algorithm: options.algorithm,
    key: options.key,
    allowPasswordless: options.allowPasswordless ?? false,
    foreignHashes: options.foreignHashes ?? recipe?.foreignHashes ?? 'reject',
    accepted: new Set(options.accept),
  };
  return {
    header,
    ignored: recipe?.ignored ?? [
      ...unknown.map((index) => shownName(header[index] ?? '', index)),
      ...(source.otherLists ?? []).map(shownList),
    ],
    missingStatus: recipe?.missingStatus ?? [],
    salts: unknown.filter((index) => looksLikeSalt(header[index] ?? '')),
    passwordNames: { algorithm: nameOf('algorithm'), value: nameOf('value'), key: nameOf('key') },
    foreignKind: recipe ? recipe.foreignKind : foreignByName(nameOf('value')),
    ...sent,
    optionsDigest: digestOptions(source, sent),
  };
}

/** Throws a `SourceError` if `--map` names a column that the file lacks. A hash that was passed by mistake is not shown. */
export function requireMapped(
  { file, header: { cells, line } }: Pick<PreparedSource, 'file' | 'header'>,
  names: Iterable<string>,
): void {
  const absent = [...names].filter((name) => !cells.includes(name));
  const [missing] = absent;
  if (missing === undefined) return;
  const shown = absent.map((name) => (looksLikeHash(name) ? '(a hash)' : quoted(name))).join(', ');
  const meant = guess(missing, cells.filter(isShown));
  const fault = `--map names ${shown}, which is not a column of the file${meant && `. ${meant.trimEnd()}`}`;
  throw new SourceError(file, fault, line);
}

/** Throws a `SourceError` if no column holds the field by which users are found: every row would be about somebody else. */
export function requireKeyColumn(file: string, { known }: Columns, by: string | undefined): void {
  if (by === undefined || known.some(({ target }) => target === by)) return;
  const hint = `Nothing was sent. Name the column: --map ${by}=COLUMN. Or choose a --key that the file has.`;
  throw new SourceError(file, `the file has no column ${by}, which --key names`, undefined, hint);
}

/**
 * Digest of everything that changes what is sent, and does not follow from the file and the recipe. It does not depend on the order
 * of options on the command line.
 */
function digestOptions(
  { reading, recipe }: Pick<PreparedSource, 'reading' | 'recipe'>,
  { known, constants, key, accepted, ...others }: Pick<Columns, 'known' | 'constants' | 'key' | 'accepted'>,
): string {
  const given = {
    ...others,
    version: 2,
    reading,
    recipe: recipe?.digest ?? null,
    // Sorted, since a plan stores the fields of its recipe in another order.
    columns: recipe
      ? known.map(({ name, target }) => [target, name]).sort()
      : known.map(({ index, name, target }) => [index, name, target]),
    constants: constants.map(({ target, value }) => [target, value]).sort(),
    key: key === undefined ? null : sha256(`HMAC key of an import: ${key}`),
    accepted: [...accepted].filter((code) => code !== acceptedOnce).sort(),
  };
  return sha256(JSON.stringify(given));
}

function requirePassword(
  fail: (fault: string) => SourceError,
  taken: Map<string, number>,
  { allowPasswordless = false, algorithm }: ColumnOptions,
  mayBeHashes: string,
): void {
  const missing = (['algorithm', 'value'] as const).filter((part) => !taken.has(part));
  if (missing.length === 0 || (allowPasswordless && missing.length === 2)) return;
  if (algorithm !== undefined && taken.has('value')) return;
  const names = missing.map((part) => quoted(passwordColumns[part][0])).join(' and ');
  const [are, them] = missing.length > 1 ? [`columns ${names} are`, 'them'] : [`column ${names} is`, 'it'];
  const otherwise = taken.has('value')
    ? 'name the algorithm of all hashes (--algorithm), or have it found by the form of each (--algorithm infer)'
    : 'allow users without a password (--allow-passwordless)';
  throw fail(`${are} missing${mayBeHashes || ';'} add ${them}, map ${them} (--map), or ${otherwise}`);
}

/** Lists the unknown columns, with the mapping that is most likely meant. */
function unknownColumns(header: readonly string[], unknown: number[], taken: Map<string, number>): string {
  const names = unknown.map((index) => shownName(header[index] ?? '', index)).join(', ');
  const likely = likelyMaps(header, unknown, taken);
  const advice = likely === '' ? 'map them (--map FIELD=COLUMN), rename them,' : `${likely},`;
  return `unknown columns: ${names}; ${advice} or ignore them (--ignore-unknown). Available: ${knownNames()}`;
}

/** The ID of a user in a list of this program: no name by which anybody logs in. */
const ownId = 'user_id';

/** Proposes mappings. Of two columns for one field both are named and neither is proposed: a wrong one would affect every user. */
function likelyMaps(header: readonly string[], unknown: number[], taken: Map<string, number>): string {
  const shown = unknown.map((index) => header[index] ?? '').filter(isShown);
  const mappable = shown.filter((name) => name !== ownId);
  const candidates = likelyColumns(mappable, taken);
  const maps: string[] = [];
  const choices: string[] = [];
  for (const { field, names } of candidates.values()) {
    const [name = '', ...others] = names;
    if (others.length === 0)
      maps.push(`--map ${/^\S+$/.test(name) ? `${field}=${name}` : quoted(`${field}=${name}`)}`);
    else
      choices.push(`either of ${names.join(' and ')} may be ${field}: choose one with --map ${field}=COLUMN`);
  }
  if (shown.includes(ownId) && !taken.has('external_id'))
    choices.push(
      `map ${ownId} to external_id only if another system gave it (a list of IDs of this one is for tenant-users disable)`,
    );
  const passwords = shown.filter(mayBePassword);
  if (passwords.length > 0 && !taken.has('value') && !candidates.has('value'))
    choices.push(`map ${passwords.join(' or ')} to hash only if it holds hashes, never passwords`);
  return [...(maps.length > 0 ? [`likely meant: ${maps.join(' ')}`] : []), ...choices].join('; ');
}

const shapes = {
  csv: 'the first line must be a header with names separated by , ; | or tabs',
  records: `each object or entry must be a user, in a list of its own or in one with the name ${usualLists.join(', ')}; name another list in a recipe (from: { records: NAME }), and nested values with --map FIELD=PATH`,
};

/** If no column is known, the line may be a row, so only usual names of columns are shown. */
function noHeader(header: readonly string[], format: SourceFormat): string {
  const likely = likelyMaps(header, [...header.keys()], new Map());
  const advice = likely === '' ? '' : ` (${likely})`;
  const shape = format === 'csv' ? shapes.csv : shapes.records;
  return `no column has a known name${advice}; ${shape}. Available: ${knownNames()}`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
