import { setImmediate as nextTurn } from 'node:timers/promises';
import { SourceError } from '../model/errors.ts';
import {
  changedMeanwhile,
  describeSeveral,
  type PeopleWithin,
  requireName,
  type Scanned,
  type SourceRecord,
  type Utf8Chunks,
} from '../model/source-record.ts';
import { createNumberWidths } from './number-widths.ts';

/** Cuts the text of a file into records whose values have names, and which have no header. */
export interface NamedReading<Cut extends { line: number }> {
  /** Returns the records that end in a chunk; `undefined` stands for the end of the file. */
  cut(chunk: Buffer | undefined): readonly Cut[];
  /** Passes each value of a record to `add`. */
  valuesOf(record: Cut, add: (name: string, value: string) => void): void;
  /** Checks at the end of the file that these are all records; throws a `SourceError` if not, or if there are none. */
  end(rows: number): void;
  /** See `Scanned`. */
  otherLists?(): readonly string[];
  /** See `Scanned`. */
  peopleWithin?(): PeopleWithin | undefined;
}

/** Most names of values in a file. */
const mostNames = 5000;

/** First pass: counts the records, and collects the names of their values in order of appearance, which make the header. */
export async function scanNamed<Cut extends { line: number }>(
  file: string,
  chunks: Utf8Chunks,
  { cut, valuesOf, end, otherLists, peopleWithin }: NamedReading<Cut>,
  signal?: AbortSignal,
): Promise<Scanned> {
  const indexes = new Map<string, number>();
  /** For each name, the last row that has it. */
  const lastRows: number[] = [];
  const numbers = createNumberWidths();
  let rows = 0;

  function indexOf(name: string, line: number): number {
    const known = indexes.get(name);
    if (known !== undefined) return known;
    requireName(file, name, line);
    const index = indexes.size;
    if (index === mostNames) {
      const fault = `the records have more than ${mostNames} different names of values; leave values out of the export whose names are ids or dates`;
      const people = peopleWithin?.();
      throw new SourceError(file, people?.areSeveral ? describeSeveral(people) : fault, line);
    }
    indexes.set(name, index);
    return index;
  }

  function count(records: readonly Cut[]): void {
    for (const record of records) {
      rows += 1;
      valuesOf(record, (name, value) => {
        const index = indexOf(name, record.line);
        if (lastRows[index] === rows) {
          const fault =
            'two values of the record have the same path; a name must not hold the dots that join names';
          throw new SourceError(file, fault, record.line);
        }
        lastRows[index] = rows;
        numbers.add(index, value);
      });
    }
  }

  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    count(cut(chunk));
  }
  count(cut(undefined));
  end(rows);
  const header = { row: 0, line: 1, cells: [...indexes.keys()] };
  return {
    rows,
    fixedColumns: numbers.fixed(),
    header,
    otherLists: otherLists?.() ?? [],
    peopleWithin: peopleWithin?.(),
  };
}

/** A later pass: yields the records that end in each chunk as a list. Throws a `SourceError` if the file has changed. */
export async function* readNamed<Cut extends { line: number }>(
  file: string,
  chunks: Utf8Chunks,
  { cut, valuesOf }: NamedReading<Cut>,
  { header, rows }: Scanned,
): AsyncGenerator<SourceRecord[], void> {
  const indexes = new Map(header.cells.map((name, index) => [name, index]));
  let row = 0;
  const recordsOf = (records: readonly Cut[]) =>
    records.map((record): SourceRecord => {
      const cells = Array<string>(header.cells.length).fill('');
      valuesOf(record, (name, value) => {
        const index = indexes.get(name);
        if (index === undefined) throw changedMeanwhile(file);
        cells[index] = value;
      });
      row += 1;
      return { row, line: record.line, cells };
    });
  for await (const chunk of chunks) {
    // Lets responses arrive between two chunks.
    await nextTurn();
    const records = recordsOf(cut(chunk));
    if (row > rows) throw changedMeanwhile(file);
    if (records.length > 0) yield records;
  }
  const last = recordsOf(cut(undefined));
  if (row !== rows) throw changedMeanwhile(file);
  if (last.length > 0) yield last;
}
