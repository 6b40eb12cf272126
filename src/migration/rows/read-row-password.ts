import { SourceError } from '../model/errors.ts';
import { openSource } from '../source/open-source.ts';
import { compileColumns, namesOf } from './columns.ts';
import type { Draft } from './fields.ts';

/** Which row is meant: by its number, from 1, or by the user's name, of which the first row counts. */
export type RowChoice = { row: number } | { userName: string };

/** The password of a row, as it stands in the file; empty where a cell is. */
export interface RowPassword {
  row: number;
  /** Physical line on which the row starts, from 1. */
  line: number;
  algorithm: string;
  value: string;
  key: string;
}

/**
 * Reads the password cells of one row as an import would, but checks nothing of them. `undefined` when no row is the
 * one. Rejects with a `SourceError` for a file or a row that cannot be read.
 */
export async function readRowPassword(
  file: string,
  wanted: RowChoice,
  signal?: AbortSignal,
): Promise<RowPassword | undefined> {
  const source = await openSource(file, namesOf({}), signal ? { signal } : {});
  try {
    const { header } = source;
    const { known } = compileColumns(source, { ignoreUnknown: true });
    for await (const list of await source.readRows()) {
      for (const { row, line, cells } of list) {
        if ('row' in wanted && row !== wanted.row) continue;
        const draft: Draft = { user: {}, password: { algorithm: '', value: '', key: '' } };
        for (const { index, set } of known) set(draft, cells[index] ?? '');
        if ('userName' in wanted && !isSameName(draft.user.user_name, wanted.userName)) continue;
        if (cells.length !== header.cells.length) {
          throw new SourceError(file, `row ${row} has more or fewer cells than the header`, line);
        }
        return { row, line, ...draft.password };
      }
    }
    return undefined;
  } finally {
    await source.close();
  }
}

/** User names differ in more than case (decision 17). */
function isSameName(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
