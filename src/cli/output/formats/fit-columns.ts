import stringWidth from 'string-width';

/** What a table needs beside the text of a column: a line and two blanks. */
export const perColumn = 3;

/** A column as it is drawn; widths are those of a terminal, East Asian characters take two. */
export interface Column {
  name: string;
  /** Where its cells are in a row. */
  index: number;
  width: number;
  /** Cells are cut at their beginning: the end of an id distinguishes it. */
  isTail: boolean;
}

/** The columns that have a place, in their order, those of them with shortened ids, and those that have none. */
export interface Fitted {
  shown: Column[];
  shortened: string[];
  leftOut: string[];
}

/** How columns are to be fitted. */
export interface Wishes {
  /** The most needed columns, first of all the first. */
  needed: readonly string[];
  /** Columns that are cut only where those that are less needed have gone. */
  whole: readonly string[];
  /** The column with the records' own ids. */
  id: string | undefined;
  /** Somebody has named the columns: then an id is rather cut than left out. */
  chosen: boolean;
  /** Characters for the whole table. */
  room: number;
}

interface Measured extends Column {
  /** Width below which the column is of no use. */
  least: number;
  isEmpty: boolean;
}

/** An id that is cut identifies nothing. */
const isIdentifier = /(?:^|[._])id$/;

/** What is shown of a record's own id where there is no room for all of it: `…DC8CD2722` tells users apart. */
const shortId = 10;

/**
 * Fits columns into a table: all as wide as they want where there is room; else the records' ids are shortened, columns without
 * a value go, then the least needed; the others share what there is, that of shortened ids included. One stays in any case.
 */
export function fitColumns(names: readonly string[], rows: readonly string[][], wishes: Wishes): Fitted {
  const { needed, whole, id, chosen, room } = wishes;
  const mayCut = (name: string) => chosen || !(isIdentifier.test(name) || whole.includes(name));
  const measured = names.map((name, index) => measure(name, index, rows, mayCut(name)));
  const wanted = measured.reduce((sum, { width }) => sum + width + perColumn, 0);
  if (wanted > room - 1 && !chosen) {
    for (const column of measured) if (column.name === id && !whole.includes(id)) shorten(column);
  }
  const rank = ({ name }: Column) => (needed.includes(name) ? needed.indexOf(name) : needed.length);
  const kept = new Set<Measured>();
  let left = room - 1;
  for (const column of [...measured].sort((one, other) => rank(one) - rank(other))) {
    const isIdle = column.isEmpty && !chosen && wanted > room - 1;
    // Wider than what is left: others go for it, and it is cut only then.
    if (whole.includes(column.name)) column.least = Math.min(column.least, Math.max(12, left - perColumn));
    if (kept.size > 0 && (isIdle || column.least + perColumn > left)) continue;
    left -= column.least + perColumn;
    kept.add(column);
  }
  const full = [...kept].reduce((sum, { width }) => sum + width + perColumn, 0);
  // The end of an id is of less use than whole names: no command takes it.
  if (full > room - 1) for (const column of kept) if (column.isTail && kept.size > 1) kept.delete(column);
  const shown = measured.filter((column) => kept.has(column));
  return {
    shown: share(shown, room - 1 - shown.length * perColumn),
    shortened: shown.filter(({ isTail }) => isTail).map(({ name }) => name),
    leftOut: measured.filter((column) => !kept.has(column)).map(({ name }) => name),
  };
}

function measure(name: string, index: number, rows: readonly string[][], mayCut: boolean): Measured {
  const head = stringWidth(name);
  const width = widestOf(rows, index, Math.max(head, 1));
  const least = mayCut ? Math.min(width, Math.max(head, 12)) : width;
  return { name, index, width, least, isTail: false, isEmpty: rows.every((row) => row[index] === '') };
}

function shorten(column: Measured): void {
  const width = Math.max(shortId, stringWidth(column.name));
  if (width >= column.width) return;
  column.width = width;
  column.least = width;
  column.isTail = true;
}

/** Width of the widest cell of a column, at least as much as is given. */
export function widestOf(rows: readonly string[][], index: number, least: number): number {
  return rows.reduce((widest, row) => Math.max(widest, stringWidth(row[index] ?? '')), least);
}

/** Takes room from the widest columns first, down to what each needs; if need be further, down to one character. */
function share(columns: readonly Measured[], room: number): Column[] {
  // None gets more than all, though a cell may have thousands of characters.
  const widths = columns.map(({ width }) => Math.min(width, Math.max(room, 1)));
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  for (const floorOf of [({ least }: Measured) => least, () => 1]) {
    const floors = columns.map(floorOf);
    for (; over > 0; over -= 1) {
      const spare = widths.map((width, at) => (width > (floors[at] ?? 1) ? width : 0));
      const widest = Math.max(...spare);
      if (widest === 0) break;
      widths[spare.indexOf(widest)] = widest - 1;
    }
  }
  return columns.map(({ name, index, isTail }, at) => ({ name, index, isTail, width: widths[at] ?? 1 }));
}
