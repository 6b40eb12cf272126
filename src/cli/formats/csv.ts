import { stringify } from 'csv-stringify/sync';
import { cellOf, printable } from './cell.ts';
import type { Format } from './formats.ts';

/** RFC 4180 with a header; values are untouched unless they go to a terminal. */
export const formatCsv: Format = (result, chosen, output) => {
  const columns = chosen ?? result.csvColumns ?? result.columns;
  const show = output.isTTY ? printable : (text: string) => text;
  return stringify([
    columns,
    ...result.rows.map((row) => columns.map((column) => show(cellOf(row, column)))),
  ]);
};
