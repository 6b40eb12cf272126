import { hash } from 'node:crypto';
import { formatCount } from '../../text/format-count.ts';
import { withoutBytesPrefix } from '../hashes/identify.ts';
import { mapOption } from '../rows/column-options.ts';
import { isNullMarker } from '../rows/validate-cell.ts';
import type { Interview } from './interview.ts';

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
/** The part of a column that can be digests if it holds nothing else: a few addresses may have changed since. */
const nearlyAll = 0.9;

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
    /** The values of a column that others can compute; `undefined` if there are none. `areAll`: hardly any value is another one. */
    digestsOf(index: number) {
      const [most] = [...(found.get(index) ?? [])].sort(([, one], [, other]) => other.rows - one.rows);
      if (!most) return undefined;
      const [other, { algorithm, rows }] = most;
      const values = filled[index] ?? 0;
      return {
        what: `the ${algorithm} of ${header[other]}`,
        rows,
        values,
        areAll: rows >= nearlyAll * values,
      };
    },
  };
}

type DigestLook = ReturnType<typeof createDigestLook>;

/**
 * Warns of digests of another column: of a column that holds nothing else and is not used, and of one that is and has some, which
 * may be the first passwords of these people.
 */
export function warnOfDigests(
  { name, digests }: { name: string; digests: ReturnType<DigestLook['digestsOf']> },
  isUsed: boolean,
  { note, mapBy }: Pick<Interview, 'note' | 'mapBy'>,
): void {
  if (!digests || digests.areAll === isUsed) return;
  const { what, rows, values, areAll } = digests;
  note(
    areAll
      ? `${name} holds ${what}, with which others could log in, and is not used: if it is the old password, ${mapBy} ${mapOption('hash', name)}`
      : `${name} holds ${what} in ${formatCount(rows)} of the first ${formatCount(values, 'value')}: others could log in as these people until they change the password`,
  );
}
