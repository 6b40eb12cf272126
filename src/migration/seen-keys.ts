import { hash, randomBytes } from 'node:crypto';
import type { HashedUser } from '../contract/wire.ts';

/** Fields that no two users of a tenant may share, and their codes. */
export const uniqueFields = [
  { field: 'user_name', code: 'DUPLICATE_USER_NAME' },
  { field: 'email', code: 'DUPLICATE_EMAIL' },
  { field: 'mobile', code: 'DUPLICATE_MOBILE' },
] as const;

type UniqueField = (typeof uniqueFields)[number]['field'];

/** A key that an earlier row of the file has. */
export interface Repeat {
  row: number;
  /** Place in `uniqueFields`. */
  unique: number;
  /** The row that had the key first. */
  first: number;
}

/** The keys of all rows so far. */
export interface SeenKeys {
  /** Enters the keys of consecutive rows, of which the first has the number `from`, and tells which are repeated. */
  enter(from: number, users: readonly (HashedUser | undefined)[]): Repeat[];
  close(): void;
}

/** Least memory that keeps a million keys fast; the rest is in a file that has no name. */
const cacheKilobytes = 8192;

/** Area code of a mobile number without one, as the service takes it (decision 19). */
const usualAreaCode = '86';
const mobileShape = /^(?:\+?(\d{1,4})-)?(\d{1,20})$/;

/** What makes two values equal for the service. */
const normalForms: Record<UniqueField, (value: string) => string> = {
  user_name: (value) => value.toLowerCase(),
  email: (value) => value.toLowerCase(),
  mobile(value) {
    const [, area = usualAreaCode, number] = mobileShape.exec(value) ?? [];
    return number === undefined ? value : `${area}-${number}`;
  },
};

/**
 * Opens an empty set of keys. It is a database without a name, which the system removes with the process: memory stays
 * flat however many rows there are. It holds digests of 64 bits, seeded at random, and no values.
 */
export async function openSeenKeys(): Promise<SeenKeys> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync('');
  database.exec(
    `PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${cacheKilobytes};
     CREATE TABLE seen (key INTEGER PRIMARY KEY, row INTEGER NOT NULL); BEGIN`,
  );
  const places = uniqueFields.length;
  // One statement for many rows: the way into the database costs more than the key.
  const insert = database.prepare(
    `INSERT INTO seen SELECT value, ?2 + key / ${places} FROM json_each(?1) WHERE value IS NOT NULL
     ORDER BY value, key ON CONFLICT DO NOTHING`,
  );
  const repeats = database.prepare(
    `SELECT each.key AS place, seen.row AS first FROM json_each(?1) AS each JOIN seen ON seen.key = each.value
     WHERE seen.row <> ?2 + each.key / ${places} ORDER BY place`,
  );
  const seed = randomBytes(16).toString('hex');

  function digestOf(field: UniqueField, value: string): string {
    const digest = hash('sha1', `${seed}${field}:${normalForms[field](value)}`);
    return BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)).toString();
  }

  return {
    enter(from, users) {
      let keys = 0;
      let list = '';
      for (const user of users) {
        for (const { field } of uniqueFields) {
          const value = user?.[field];
          if (value !== undefined) keys += 1;
          list += value === undefined ? ',null' : `,${digestOf(field, value)}`;
        }
      }
      list = `[${list.slice(1)}]`;
      if (insert.run(list, from).changes === keys) return [];
      const found = repeats.all(list, from) as { place: number; first: number }[];
      return found.map(({ place, first }) => ({
        row: from + Math.floor(place / places),
        unique: place % places,
        first,
      }));
    },
    close: () => database.close(),
  };
}
