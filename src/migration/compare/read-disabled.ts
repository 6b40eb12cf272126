import type { Columns } from '../rows/columns.ts';
import type { IssueCause } from '../rows/issues/issues.ts';
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
      yield records.map((record) => {
        const word = record.cells[column]?.trim().toLowerCase() ?? '';
        if (word === 'true') return { ...record, isDisabled: true };
        // Any other word may mean that the person is disabled.
        return ['false', ''].includes(word) ? record : { ...record, causes: [unknownWord] };
      });
  };

const unknownWord: IssueCause = { code: 'VALUE_UNKNOWN', column: disabledColumn };
