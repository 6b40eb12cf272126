import { stringify } from 'csv-stringify/sync';
import { printable } from '../../../text/printable.ts';
import { cellOf, pagesOf } from './cell.ts';
import type { Format } from './format.ts';

/** CSV (RFC 4180) with a header. Values are unchanged, unless they go to a terminal or are for spreadsheets. */
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

/** Escapes for characters that would end a value or a line, as `jq` and databases write them. */
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One line per record with tabs between values, for `cut`, `awk` and `read`: no header, and the columns of the table. */
export const formatTsv: Format = async function* (result, chosen, { isTerminal }) {
  const columns = chosen ?? result.columns;
  const escaped = (text: string) =>
    text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
  const show = isTerminal ? (text: string) => printable(escaped(text)) : escaped;
  for await (const page of pagesOf(result)) {
    yield page.map((row) => `${columns.map((column) => show(cellOf(row, column))).join('\t')}\n`).join('');
  }
};
