import { inferHash } from '../hashes/infer.ts';
import { SourceError } from '../model/errors.ts';
import type { Draft } from '../rows/fields/fields.ts';
import { createIssue, describeIssues } from '../rows/issues/issues.ts';
import { asSent } from '../rows/unwrap.ts';
import { type InputOptions, openInput } from './open-input.ts';

/** Selects a row: by its number, from 1, or as the first row with a user name. */
export type RowChoice = { row: number } | { userName: string };

/** The password cells of a row; `''` for an empty cell. */
export interface RowPassword {
  row: number;
  /** Physical line on which the row starts, from 1. */
  line: number;
  algorithm: string;
  value: string;
  key: string;
}

/**
 * Reads the password cells of all rows as an import would, but without checking them; yields lists. `isWhole`: a row has as many cells
 * as the header; `issues`: those of its password that the recipe found. Rejects with a `SourceError` for a file that cannot be read.
 */
export async function* readPasswords(file: string, options: InputOptions) {
  const { source, columns } = await openInput(file, { ...options, ignoreUnknown: true });
  try {
    const { header } = source;
    const { known } = columns;
    for await (const list of source.readRows()) {
      options.signal?.throwIfAborted();
      yield list.map(({ row, line, cells, causes = [] }) => {
        const draft: Draft = { user: {}, password: { algorithm: '', value: '', key: '' } };
        for (const { index, set } of known) set(draft, cells[index] ?? '');
        const isWhole = cells.length === header.cells.length;
        const { algorithm, value } = draft.password;
        const inferred = columns.algorithm === 'infer' && algorithm === '' ? inferHash(value) : undefined;
        const names: readonly unknown[] = Object.values(columns.passwordNames);
        const issues = causes.filter(({ column }) => names.includes(column)).map(createIssue);
        return { row, line, userName: draft.user.user_name, isWhole, issues, ...draft.password, ...inferred };
      });
    }
  } finally {
    await source.close();
  }
}

/**
 * Reads the password cells of one row, with algorithm and hash as an import sends them; `undefined` if there is no such row. Rejects
 * with a `SourceError` for a file or a row that cannot be read.
 */
export async function readRowPassword(
  file: string,
  wanted: RowChoice,
  options: InputOptions = {},
): Promise<RowPassword | undefined> {
  for await (const list of readPasswords(file, options)) {
    for (const { row, line, userName, isWhole, issues, algorithm, value, key } of list) {
      // User names are the same regardless of case (decision 17).
      const isWanted =
        'row' in wanted ? row === wanted.row : userName?.toLowerCase() === wanted.userName.toLowerCase();
      if (!isWanted) continue;
      if (!isWhole) throw new SourceError(file, `row ${row} has more or fewer cells than the header`, line);
      const { message, hint } = describeIssues(issues);
      if (message !== '') throw new SourceError(file, `row ${row} cannot be sent: ${message}`, line, hint);
      return { row, line, key, ...asSent({ algorithm, value }, options.algorithm) };
    }
  }
  return undefined;
}
