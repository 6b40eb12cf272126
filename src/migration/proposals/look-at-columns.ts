import type { Columns } from '../rows/columns.ts';
import type { ColumnOptions } from '../rows/fields/column-options.ts';
import { guessColumns, wordOf } from '../rows/fields/suggest-field.ts';
import { isNullMarker } from '../rows/fields/validate-cell.ts';
import { looksLikeSalt, shownName } from '../rows/ignored-columns.ts';
import { beginningOf, type PreparedSource } from '../rows/prepared-source.ts';
import type { SourceOptions } from '../source/open-source.ts';
import { describeDigests } from './digest-look.ts';
import { createHashLook, saltsBeside } from './hash-look.ts';
import { createInterview } from './interview.ts';
import { proposeColumns } from './propose-columns.ts';
import { createStatusLook, mostLooked } from './status-look.ts';
import { requireNames, surveyColumns } from './survey.ts';

/** What the columns of a file most likely are. */
export interface ColumnsLook {
  map: { field: string; column: string }[];
  /** The column of the hashes. */
  hash: string | undefined;
  /** What is open about columns that may hold the hashes. */
  open: string[];
}

/**
 * Maps the columns of a file as a first recipe for it would, where nothing needs to be asked; then by their names alone, which counts
 * what a recipe would not read: hashes of no known form. Rejects with a `SourceError` if the file has no names.
 */
export async function lookAtColumns(
  source: PreparedSource,
  { map = [], signal }: Pick<SourceOptions, 'signal'> & Pick<ColumnOptions, 'map'>,
): Promise<ColumnsLook> {
  requireNames(source, map);
  const interview = createInterview(new Map(), 'add');
  const survey = await surveyColumns({ ...source, readRows: () => beginningOf(source, 10_000) }, map, signal);
  const proposed = proposeColumns(survey, map, interview);
  // A recipe reads the flags of other systems by a table of values, without which they would be rejected, or mean the opposite.
  const found = [...proposed].flatMap(([field, { name }]) =>
    field === 'pwd_must_modify' ? [] : [{ field, column: name }],
  );
  const hash = proposed.get('hash');
  const notByName = new Set(
    survey.columns.flatMap(({ name, digests, areOwnIds }) => (digests?.areMost || areOwnIds ? [name] : [])),
  );
  const looked = hash ? [hash] : survey.columns;
  const notes = looked.flatMap(
    ({ name, digests }) => describeDigests(name, digests, hash !== undefined, 'add') ?? [],
  );
  const others = source.header.cells.filter((name) => !notByName.has(name));
  const unsure = interview.unanswered.flatMap(({ id, open }) => (id === 'hash' ? [open] : []));
  return {
    map: guessColumns(others, [...map, ...found]),
    hash: hash?.name,
    open: [...unsure, ...notes],
  };
}

/** Returns, of the columns that nothing reads, those that by their first values may hold salts of the hashes. */
export async function findSalts(
  source: PreparedSource,
  { ignored, passwordNames, foreignKind }: Columns,
): Promise<string[]> {
  const { cells: header } = source.header;
  const columns = header.map((cell, index) => {
    return { index, cell, name: shownName(cell, index), hashes: createHashLook() };
  });
  const [hash, key] = [passwordNames.value, passwordNames.key].map((name) => columns[header.indexOf(name)]);
  const unread = columns.filter(({ name }) => ignored.includes(name));
  const looked = [...new Set([hash, key, ...unread])].filter((column) => column !== undefined);
  if (!hash || foreignKind !== undefined || (unread.length === 0 && !key)) return [];
  for await (const records of beginningOf(source, mostLooked))
    for (const { cells } of records)
      for (const { index, hashes } of looked) {
        const cell = cells[index] ?? '';
        if (cell !== '' && !isNullMarker(cell)) hashes.add(cell);
      }
  const others = unread.filter(({ cell }) => !looksLikeSalt(cell));
  return saltsBeside(hash.hashes, { key, others }).map(({ name }) => name);
}

/**
 * Looks at the columns that nothing reads, while the rows are read for the first time. `read`: to be called with the cells of each record,
 * in the order of the file. `statuses`: returns those that may say who may not log in, by their first values or by all so far.
 */
export function watchIgnored(source: PreparedSource, { ignored }: Columns) {
  const { cells: header } = source.header;
  const looks = header
    .map((cell, index) => ({ cell, index, name: shownName(cell, index), values: createStatusLook() }))
    .filter(({ name }) => ignored.includes(name));
  let [last, records] = [0, 0];
  let first: readonly (typeof looks)[number][] = [];
  const found = () => looks.filter(({ cell, values }) => values.maySay(cell, wordOf(source, cell)));
  return {
    read(row: number, cells: readonly string[]): void {
      if (row <= last || cells.length !== header.length) return;
      last = row;
      for (const { index, values } of looks) values.add(cells[index] ?? '');
      records += 1;
      if (records === mostLooked) first = found();
    },
    statuses: (): string[] => [...new Set([...first, ...found()])].map(({ name }) => name),
  };
}
