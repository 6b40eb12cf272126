import { hash } from 'node:crypto';
import { withoutBytesPrefix } from '../hashes/identify.ts';
import { mapOption } from '../rows/column-options.ts';
import { isNullMarker } from '../rows/validate-cell.ts';

/** The algorithm of a digest in hex, by its length. */
const algorithms: ReadonlyMap<number, string> = new Map([
  [32, 'MD5'],
  [40, 'SHA-1'],
  [64, 'SHA-256'],
]);
const hex = /^[\da-f]{32,64}$/;
/** Rows with a digest that are looked at: enough for certainty, and few beside the rows that are then checked. */
const mostRows = 200;
const longestText = 320;
/** The part of the values of a column by which it is not taken for passwords: the others may be of former addresses. */
const mostly = 0.5;

/** Creates an empty look at rows: which columns hold the digest of another one, such as the MD5 of the e-mail address. */
export function createDigestLook(header: readonly string[]) {
  const filled = header.map(() => 0);
  const found = new Map<number, Map<number, { algorithm: string; rows: number }>>();
  let rows = 0;
  let hasDigests = false;

  function compare(index: number, cell: string, cells: readonly string[]): void {
    if (cell !== '' && !isNullMarker(cell)) filled[index] = (filled[index] ?? 0) + 1;
    const digest = withoutBytesPrefix(cell.trim()).toLowerCase();
    const algorithm = algorithms.get(digest.length);
    if (algorithm === undefined || !hex.test(digest)) return;
    hasDigests = true;
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
      if (hasDigests) rows += 1;
    },
    /** Says what a column holds if others can compute most of its values. */
    digestsOf(index: number): string | undefined {
      const [most] = [...(found.get(index) ?? [])].sort(([, one], [, other]) => other.rows - one.rows);
      if (!most) return undefined;
      const [other, { algorithm, rows }] = most;
      return rows >= mostly * (filled[index] ?? 0) ? `the ${algorithm} of ${header[other]}` : undefined;
    },
  };
}

/** Says why a column of digests is not taken for the passwords. */
export function describeDigests(name: string, digests: string, mapBy: string): string {
  return `${name} holds ${digests}, with which others could log in, and is not used: if it is the old password, ${mapBy} ${mapOption('hash', name)}`;
}
