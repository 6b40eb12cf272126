import Table from 'cli-table3';
import stringWidth from 'string-width';
import { cellOf, printable } from './cell.ts';
import type { Format } from './formats.ts';

const padding = 3;
const narrowest = 5;

/** A table for people; on a terminal it is fitted to the width, in a pipe nothing is cut. */
export const formatTable: Format = (result, chosen, output) => {
  const columns = chosen ?? result.columns;
  if (result.single) {
    const cells = columns.flatMap((column) =>
      result.rows.map((row) => [column, printable(cellOf(row, column))] satisfies [string, string]),
    );
    return draw(
      [],
      cells.filter(([, value]) => chosen !== undefined || value !== ''),
      output.isTTY ? output.columns : undefined,
    );
  }
  const cells = result.rows.map((row) => columns.map((column) => printable(cellOf(row, column))));
  return draw([...columns], cells, output.isTTY ? output.columns : undefined);
};

function draw(head: string[], cells: string[][], room: number | undefined): string {
  const natural = widthsOf(head.length > 0 ? [head, ...cells] : cells);
  const colWidths = room === undefined ? natural : fitWidths(natural, room - 1);
  const table = new Table({ head, colWidths, style: { head: [], border: [], compact: true } });
  table.push(...cells);
  return `${table.toString()}\n`;
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
