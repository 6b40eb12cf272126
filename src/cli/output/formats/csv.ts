import { stringify } from 'csv-stringify/sync';
import { printable } from '../../../text/printable.ts';
import { cellOf, pagesOf } from './cell.ts';
import type { Format } from './format.ts';

/** RFC 4180 with a header; values are untouched unless they go to a terminal. */
export const formatCsv: Format = async function* (result, chosen, { isTerminal }) {
  const columns = chosen ?? result.csvColumns ?? result.columns;
  const show = isTerminal ? printable : (text: string) => text;
  let lead = [columns.map(show)];
  for await (const page of pagesOf(result)) {
    const records = page.map((row) => columns.map((column) => show(cellOf(row, column))));
    yield stringify([...lead, ...records], { escape_formulas: result.isForSpreadsheets === true });
    lead = [];
  }
};
