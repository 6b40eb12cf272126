import { hash } from 'node:crypto';

/** The algorithm of a digest in hex, by its length. */
const algorithms: ReadonlyMap<number, string> = new Map([
  [32, 'MD5'],
  [40, 'SHA-1'],
  [64, 'SHA-256'],
]);
const hex = /^[\da-f]{32,64}$/i;
/** Rows with a digest that are looked at: enough for certainty, and few beside the rows that are then checked. */
const mostRows = 200;
const longestText = 320;

/** Creates an empty look at rows: which columns hold the digest of another one, such as the MD5 of the e-mail address. */
export function createDigestLook(header: readonly string[]) {
  const looked = new Map<number, number>();
  const found = new Map<number, Map<number, { algorithm: string; rows: number }>>();
  let rows = 0;

  function compare(index: number, cell: string, cells: readonly string[]): void {
    const algorithm = algorithms.get(cell.length);
    if (algorithm === undefined || !hex.test(cell)) return;
    looked.set(index, (looked.get(index) ?? 0) + 1);
    const digest = cell.toLowerCase();
    for (const [other, text] of cells.entries()) {
      if (other === index || text === '' || text.length > longestText) continue;
      const forms = new Set([text, text.trim(), text.trim().toLowerCase()]);
      if (![...forms].some((form) => hash(algorithm, form) === digest)) continue;
      const columns = found.get(index) ?? new Map();
      found.set(index, columns.set(other, { algorithm, rows: (columns.get(other)?.rows ?? 0) + 1 }));
    }
  }

  return {
    add(cells: readonly string[]): void {
      if (rows === mostRows) return;
      for (const [index, cell] of cells.entries()) compare(index, cell, cells);
      if (looked.size > 0) rows += 1;
    },
    /** What most values of a column are, such as `the MD5 of email`; `undefined` if they are no such digests. */
    digestOf(index: number): string | undefined {
      const [most] = [...(found.get(index) ?? [])].sort(([, one], [, other]) => other.rows - one.rows);
      if (!most || most[1].rows * 2 <= (looked.get(index) ?? 0)) return undefined;
      return `the ${most[1].algorithm} of ${header[most[0]]}`;
    },
  };
}
