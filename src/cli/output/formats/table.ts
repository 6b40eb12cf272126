import Table from 'cli-table3';
import stringWidth from 'string-width';
import { printable } from '../../../text/printable.ts';
import { padTo, tailTo, wrapTo } from '../../../text/text-width.ts';
import { cellOf, pagesOf } from './cell.ts';
import { type Column, fitColumns, perColumn, widestOf } from './fit-columns.ts';
import type { Format, Result, Screen } from './format.ts';

/** Maximum lines of a wrapped value; the rest is cut. */
const mostLines = 4;

/**
 * A table for people. On a terminal, the first page decides which columns fit the width, and those that do not are
 * named on stderr. In a pipe nothing is cut, and columns become wider if a later page needs it.
 */
export const formatTable: Format = (result, chosen, screen) =>
  result.single ? drawRecord(result, chosen, screen.width) : drawRecords(result, chosen, screen);

async function* drawRecords(
  result: Result,
  chosen: readonly string[] | undefined,
  { width: room, bold, note }: Screen,
): AsyncGenerator<string> {
  const names = chosen ?? result.columns;
  const wishes = {
    needed: chosen ?? result.needed ?? names,
    whole: result.whole ?? [],
    id: result.id,
    chosen: chosen !== undefined,
    room,
  };
  let columns: Column[] | undefined;
  let notice = '';
  let bottom = '';
  for await (const page of pagesOf(result)) {
    const rows = page.map((row) => names.map((name) => printable(cellOf(row, name))));
    const isFirst = columns === undefined;
    if (columns === undefined) {
      const fitted = fitColumns(names, rows, wishes);
      columns = fitted.shown;
      notice = fittingNotice(fitted);
    } else if (room === Number.POSITIVE_INFINITY) {
      columns = columns.map((column) => ({ ...column, width: widestOf(rows, column.index, column.width) }));
    }
    const drawn = columns;
    const body = rows.map((row) => lineOf(drawn, ({ index }) => row[index] ?? ''));
    const head = lineOf(columns, ({ name }) => printable(name)).map(bold);
    const widths = columns.map(({ width }) => width);
    const lines = frame(widths, isFirst ? head : [], body);
    bottom = lines.pop() ?? bottom;
    // Later pages continue the frame of the page before.
    const text = lines.slice(isFirst ? 0 : 1).join('\n');
    if (text) yield `${text}\n`;
  }
  yield `${bottom}\n`;
  if (notice) note(notice);
}

function fittingNotice({ leftOut, shortened }: ReturnType<typeof fitColumns>): string {
  const parts = Object.entries({ hidden: leftOut, shortened }).filter(([, names]) => names.length > 0);
  const words = parts.map(([what, names]) => `${what} to fit: ${names.join(', ')}`);
  return words.length === 0 ? '' : `Columns ${words.join('; ')} (use --columns or -o csv)`;
}

function lineOf(columns: readonly Column[], textOf: (column: Column) => string): string[] {
  return columns.map((column) => {
    const text = textOf(column);
    return column.isTail && text !== column.name ? tailTo(text, column.width) : padTo(text, column.width);
  });
}

/** Draws one record, with one or more lines per field. Empty fields are shown only if their column was chosen. */
async function* drawRecord(
  result: Result,
  chosen: readonly string[] | undefined,
  room: number,
): AsyncGenerator<string> {
  for await (const page of pagesOf(result)) {
    const names = chosen ?? result.columns;
    const all = names.flatMap((name) =>
      page.map((row) => [printable(name), printable(cellOf(row, name))] as const),
    );
    const fields = all.filter(([, value]) => chosen !== undefined || value !== '');
    const widest = (at: 0 | 1) => Math.max(1, ...fields.map((field) => stringWidth(field[at])));
    const name = Math.min(widest(0), Math.max(1, Math.floor(room / 2) - perColumn));
    const value = Math.min(widest(1), Math.max(1, room - 1 - name - 2 * perColumn));
    const body = fields.flatMap((field) =>
      wrapTo(field[1], value, mostLines).map((part, line) => [
        padTo(line === 0 ? field[0] : '', name),
        padTo(part, value),
      ]),
    );
    yield `${frame([name, value], [], body).join('\n')}\n`;
  }
}

const standIn = '\uE000';

/**
 * Draws a table as lines. cli-table3 measures the width of many scripts wrongly (its Unicode version is older). It therefore draws
 * the frame around placeholders, which are replaced in order by the texts, each padded to its column's width. It draws one line for
 * all rows of the body, since it takes longer for each row than all else does.
 */
function frame(widths: readonly number[], head: readonly string[], body: readonly (readonly string[])[]) {
  if (head.length === 0 && body.length === 0) return [];
  const blanks = widths.map((width) => standIn.repeat(width));
  const table = new Table({
    head: head.length > 0 ? blanks : [],
    colWidths: widths.map((width) => width + 2),
    style: { head: [], border: [], compact: true },
  });
  if (body.length > 0) table.push(blanks);
  const lines = table.toString().split('\n');
  const row = body.length > 0 ? lines.splice(-2, 1) : [];
  lines.splice(-1, 0, ...body.flatMap(() => row));
  const texts = [head, ...body].flat().values();
  return lines.map((line) => line.replace(/\uE000+/g, () => texts.next().value ?? ''));
}
