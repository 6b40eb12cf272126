import { hash } from 'node:crypto';
import { formatCount } from '../../text/format-count.ts';
import { withoutBytesPrefix } from '../hashes/identify.ts';
import { mapOption } from '../rows/fields/column-options.ts';
import { isNullMarker } from '../rows/fields/validate-cell.ts';

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
    /** The values of a column that others can compute; `undefined` if there are none. `areMost`: it is not taken for passwords. */
    digestsOf(index: number) {
      const [most] = [...(found.get(index) ?? [])].sort(([, one], [, other]) => other.rows - one.rows);
      if (!most) return undefined;
      const [other, { algorithm, rows }] = most;
      const values = filled[index] ?? 0;
      return { what: `the ${algorithm} of ${header[other]}`, rows, values, areMost: rows >= mostly * values };
    },
  };
}

/** Says what others could do with the digests in a column: in that of the passwords, or why it is not taken for it. */
export function describeDigests(
  name: string,
  digests: ReturnType<ReturnType<typeof createDigestLook>['digestsOf']>,
  isUsed: boolean,
  mapBy: string,
): string | undefined {
  if (!digests) return undefined;
  const { what, rows, values, areMost } = digests;
  if (isUsed)
    return `${name} holds ${what} in ${formatCount(rows)} of the first ${formatCount(values, 'value')}: others could log in as these people until they change the password`;
  return areMost
    ? `${name} holds ${what}, with which others could log in, and is not used: if it is the old password, ${mapBy} ${mapOption('hash', name)}`
    : undefined;
}
