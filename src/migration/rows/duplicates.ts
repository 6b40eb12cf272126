import { hash, randomBytes } from 'node:crypto';
import {
  defaultAreaCode,
  normalForm,
  type UniqueAttribute,
  uniqueAttributes,
} from '../../contract/normal-forms.ts';
import type { HashedUser } from '../../contract/wire.ts';
import { openDigestTable } from './digest-table.ts';
import type { IssueCode } from './issues.ts';

/** The code of a duplicate of each unique attribute. */
const codes = {
  user_name: 'DUPLICATE_USER_NAME',
  email: 'DUPLICATE_EMAIL',
  mobile: 'DUPLICATE_MOBILE',
} as const satisfies Record<UniqueAttribute, IssueCode>;

/** Fields that no two users of a tenant may share, and their codes. */
export const uniqueFields = uniqueAttributes.map((field) => ({ field, code: codes[field] }));

/** A key of a row that an earlier row of the file has. */
export interface Duplicate {
  /** Place in `uniqueFields`. */
  unique: number;
  /** The row that had the key first. */
  first: number;
}

/** The keys of all rows so far. */
export interface DuplicateFinder {
  /** Enters the keys of a row, and tells which are repeated. */
  enter(row: number, user: HashedUser): readonly Duplicate[];
  close(): void;
}

const none: readonly Duplicate[] = [];

/**
 * Opens an empty set for the keys of so many rows at most. It holds digests of 64 bits and no values. Each field has a seed of
 * its own, drawn at random: a user name and an e-mail address that are equal are two keys.
 */
export function openDuplicateFinder(rows: number): DuplicateFinder {
  const firstRows = openDigestTable(rows * uniqueFields.length);
  const keys = uniqueFields.map(({ field }, unique) => ({
    unique,
    field,
    seed: randomBytes(12).toString('base64'),
  }));
  return {
    enter(row, user) {
      let repeats = none;
      for (const { unique, field, seed } of keys) {
        const value = user[field];
        if (value === undefined) continue;
        // Of a fast hash such as XXH64, values are easily made that clash whatever the seed: one user would hide another.
        const digest = hash('sha1', seed + normalForm(field, value, defaultAreaCode), 'binary');
        const first = firstRows.enter(wordAt(digest, 0), wordAt(digest, 4), row);
        if (first !== row) repeats = [...repeats, { unique, first }];
      }
      return repeats;
    },
    close: firstRows.close,
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
