import Table from 'cli-table3';
import stringWidth from 'string-width';
import { cellOf, printable } from './cell.ts';
import type { Format } from './formats.ts';
import { pagesOf } from './pages-of.ts';

const padding = 3;
const narrowest = 5;

/** A table for people; on a terminal it is fitted to the width, in a pipe nothing is cut. */
export const formatTable: Format = async function* (result, chosen, output) {
  const room = output.isTTY ? output.columns : undefined;
  const columns = chosen ?? result.columns;
  const head = result.single ? [] : [...columns];
  let widths: number[] | undefined;
  let bottom = '';
  for await (const page of pagesOf(result)) {
    const rows = page.map((row) => columns.map((column) => printable(cellOf(row, column))));
    const cells = result.single ? fieldsOf(columns, rows, chosen !== undefined) : rows;
    const isFirst = widths === undefined;
    widths = nextWidths(widths, isFirst && head.length > 0 ? [head, ...cells] : cells, room);
    const lines = draw(isFirst ? head : [], cells, widths);
    bottom = lines.pop() ?? bottom;
    // Pages after the first go on where the one before ended.
    const text = lines.slice(isFirst ? 0 : 1).join('\n');
    if (text) yield `${text}\n`;
  }
  yield `${bottom}\n`;
};

/** A line a field; those without a value only where they were asked for. */
function fieldsOf(columns: readonly string[], rows: readonly string[][], empty: boolean): string[][] {
  const fields = columns.flatMap((column, index) => rows.map((row) => [column, row[index] ?? '']));
  return fields.filter(([, value]) => empty || value !== '');
}

function draw(head: string[], cells: string[][], colWidths: number[]): string[] {
  if (head.length === 0 && cells.length === 0) return [];
  const table = new Table({ head, colWidths, style: { head: [], border: [], compact: true } });
  table.push(...cells);
  return table.toString().split('\n');
}

/** The first page settles the widths; in a pipe, wider cells of a later one still make room for themselves. */
function nextWidths(before: number[] | undefined, cells: readonly string[][], room: number | undefined) {
  if (before && room !== undefined) return before;
  const natural = widthsOf(cells);
  if (room !== undefined) return fitWidths(natural, room - 1);
  return before ? before.map((width, column) => Math.max(width, natural[column] ?? 0)) : natural;
}

function widthsOf(cells: readonly string[][]): number[] {
  const columns = cells[0]?.length ?? 0;
  return Array.from({ length: columns }, (_, column) =>
    Math.max(...cells.map((row) => stringWidth(row[column] ?? '') + padding - 1)),
  );
}

/** Takes room from the widest columns first; each keeps a few characters. */
function fitWidths(widths: number[], room: number): number[] {
  const fitted = [...widths];
  const total = () => fitted.reduce((sum, width) => sum + width + 1, 0);
  while (total() > room) {
    const widest = Math.max(...fitted);
    if (widest <= narrowest) break;
    fitted[fitted.indexOf(widest)] = widest - 1;
  }
  return fitted;
}
