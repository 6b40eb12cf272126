import { hash, randomBytes } from 'node:crypto';
import {
  defaultAreaCode,
  normalForm,
  type UniqueAttribute,
  uniqueAttributes,
} from '../../contract/normal-forms.ts';
import type { HashedUser } from '../../contract/wire.ts';

/** A field whose values are searched: a look-up by an external id finds one user only, though the API takes it for many. */
export type SearchedField = UniqueAttribute | 'external_id';

/** The fields, in the order of the issues. */
export const searchedFields: readonly SearchedField[] = [...uniqueAttributes, 'external_id'];

/** A unique value of a row that an earlier row of the file has. */
export interface Duplicate {
  field: SearchedField;
  /** The first row that has the value. */
  first: number;
}

/** Records the unique values of a row, and finds those that an earlier row has. */
export type FindDuplicates = (row: number, user: HashedUser) => readonly Duplicate[];

const none: readonly Duplicate[] = [];
/** Part of the slots that is used at most: beyond it the way to a free one gets long. */
const fullest = 0.9;

/**
 * Makes the search for values that two rows have in one of these fields. Values are kept as digests, with the row that had each
 * first: 8 bytes in a table that is as large as the file may need, 9 bytes a value. Each field has a random seed, so that an
 * equal user name and e-mail address are two values. A digest has 64 bits less those of a row number, beside its position: in a
 * file of a million rows one value is taken for another with a chance of about one in a million.
 */
export function createDuplicateSearch(rows: number, fields: readonly SearchedField[]): FindDuplicates {
  const size = Math.ceil((rows * fields.length) / fullest) + 1;
  const slots = new Uint32Array(2 * size);
  const rowBits = 32 - Math.clz32(rows);
  const rowMask = 2 ** rowBits - 1;
  const seeded = fields.map((field) => ({ field, seed: randomBytes(12).toString('base64') }));

  /** The row that had the value first: `row` itself when none had it before. */
  function firstRow(digest: string, row: number): number {
    const high = wordAt(digest, 0);
    const low = (wordAt(digest, 4) << rowBits) >>> 0;
    let at = 2 * Math.floor((wordAt(digest, 8) / 2 ** 32) * size);
    for (;;) {
      const second = slots[at + 1] ?? 0;
      if (second === 0) break;
      if (slots[at] === high && (second & ~rowMask) >>> 0 === low) return second & rowMask;
      at = at + 2 === slots.length ? 0 : at + 2;
    }
    slots[at] = high;
    slots[at + 1] = low | row;
    return row;
  }

  return (row, user) => {
    let duplicates = none;
    for (const { field, seed } of seeded) {
      const value = user[field];
      if (value === undefined) continue;
      // Of a fast hash such as XXH64, values are easily made that clash whatever the seed: one user would hide another.
      const digest = hash('sha1', seed + normalForm(field, value, defaultAreaCode), 'binary');
      const first = firstRow(digest, row);
      if (first !== row) duplicates = [...duplicates, { field, first }];
    }
    return duplicates;
  };
}

/** 32 bits, unsigned, of a string that has one byte in each character. */
function wordAt(bytes: string, at: number): number {
  const word =
    (bytes.charCodeAt(at) << 24) |
    (bytes.charCodeAt(at + 1) << 16) |
    (bytes.charCodeAt(at + 2) << 8) |
    bytes.charCodeAt(at + 3);
  return word >>> 0;
}
