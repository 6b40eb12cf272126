import stringWidth from 'string-width';

/** Characters that a column needs in addition to its text: a border and two spaces. */
export const perColumn = 3;

/** A column as it is drawn. Widths are in terminal cells: East Asian characters take two. */
export interface Column {
  name: string;
  /** Place of its cells in a row. */
  index: number;
  width: number;
  /** True if cells are cut at the start, because ids differ at their end. */
  isTail: boolean;
}

export interface Wishes {
  /** The needed columns, most needed first. */
  needed: readonly string[];
  /** Columns that are cut only after all less needed columns are left out. */
  whole: readonly string[];
  /** The column with the records' own ids. */
  id: string | undefined;
  /** True if the caller has named the columns. Then an id is cut rather than left out. */
  chosen: boolean;
  /** Width of the whole table in characters. */
  room: number;
}

type Measured = ReturnType<typeof measure>;

/** Matches columns with ids, which are not cut: a cut id identifies nothing. */
const isIdentifier = /(?:^|[._])id$/;

/** Characters shown of a record's own id if the whole does not fit: `…DC8CD2722` tells users apart. */
const shortId = 10;

/**
 * Fits columns into a table. Without room for full widths, the records' ids are shortened, columns without values are
 * left out, then the least needed ones, then the shortened ids. The others share the room. At least one column stays. `shortened`,
 * `leftOut`: names of columns with shortened ids, and of those left out.
 */
export function fitColumns(names: readonly string[], rows: readonly string[][], wishes: Wishes) {
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
    // If it is wider than the room left, less needed columns are left out first, and only then is it cut.
    if (whole.includes(column.name)) column.least = Math.min(column.least, Math.max(12, left - perColumn));
    if (kept.size > 0 && (isIdle || column.least + perColumn > left)) continue;
    left -= column.least + perColumn;
    kept.add(column);
  }
  const full = [...kept].reduce((sum, { width }) => sum + width + perColumn, 0);
  // Whole names are more useful than a shortened id, which no command accepts.
  if (full > room - 1) for (const column of kept) if (column.isTail && kept.size > 1) kept.delete(column);
  const shown = measured.filter((column) => kept.has(column));
  return {
    shown: share(shown, room - 1 - shown.length * perColumn),
    shortened: shown.filter(({ isTail }) => isTail).map(({ name }) => name),
    leftOut: measured.filter((column) => !kept.has(column)).map(({ name }) => name),
  };
}

/** `least`: width below which the column is useless. */
function measure(name: string, index: number, rows: readonly string[][], mayCut: boolean) {
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

/** Width of the widest cell of a column, but not less than `least`. */
export function widestOf(rows: readonly string[][], index: number, least: number): number {
  return rows.reduce((widest, row) => Math.max(widest, stringWidth(row[index] ?? '')), least);
}

/** Shrinks the widest columns first, to the least useful width of each and, if that is not enough, to one character. */
function share(columns: readonly Measured[], room: number): Column[] {
  // No column starts wider than the table, even if a cell has thousands of characters.
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
