import type { Columns } from '../rows/columns.ts';
import type { PreparedSource } from '../rows/prepared-source.ts';

/** The column of an export of the tenant that says who may not log in. An import does not read it. */
export const disabledColumn = 'disabled';

/** Reads who is disabled from this column of a file without a recipe; nothing else could compare an export with its tenant. */
export function readDisabled<Source extends PreparedSource>(source: Source, { known }: Columns): Source {
  const { recipe, header, readRows } = source;
  const column = header.cells.indexOf(disabledColumn);
  if (recipe || column === -1 || known.some(({ index }) => index === column)) return source;
  return { ...source, readRows: disabling(readRows, column) };
}

const disabling = (readRows: PreparedSource['readRows'], column: number): PreparedSource['readRows'] =>
  async function* () {
    for await (const records of readRows())
      yield records.map((record) =>
        record.cells[column]?.trim().toLowerCase() === 'true' ? { ...record, isDisabled: true } : record,
      );
  };
