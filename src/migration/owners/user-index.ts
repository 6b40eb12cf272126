import type { StatementSyncInstance } from '@photostructure/sqlite';
import { normalForm, parseMobile } from '../../contract/normal-forms.ts';
import type { User } from '../../contract/wire.ts';
import type { KeyField } from '../actions/keys.ts';
import { openTemporaryDatabase, readInPages } from './temporary-database.ts';

/** A user of the index; `seq` numbers the users from 1. */
export interface IndexedUser {
  seq: number;
  user: User;
}

const columns = { user_name: 'user_name', email: 'email', mobile: 'number', external_id: 'external_id' };
const keys = Object.keys(columns) as KeyField[];

/** Makes an index of the users of a tenant by their keys, in a temporary database. */
export async function createUserIndex() {
  const database = await openTemporaryDatabase(`CREATE TABLE users (
    seq INTEGER PRIMARY KEY, user_name TEXT, email TEXT, number TEXT, external_id TEXT, user TEXT NOT NULL)`);
  const insert = database.prepare(
    'INSERT INTO users (user_name, email, number, external_id, user) VALUES (?, ?, ?, ?, ?)',
  );
  const selects = new Map<KeyField, StatementSyncInstance>();
  let selectById: StatementSyncInstance | undefined;

  return {
    add(users: readonly User[]): void {
      database.exec('BEGIN');
      for (const user of users) {
        const values = keys.map((key) => (user[key] === undefined ? null : formOf(key, user[key])));
        insert.run(...values, JSON.stringify(user));
      }
      database.exec('COMMIT');
    },
    /** Makes the users findable; must be called once, after all have been added. */
    complete(): void {
      for (const key of keys) {
        const column = columns[key];
        database.exec(`CREATE INDEX users_by_${column} ON users (${column})`);
        selects.set(key, database.prepare(`SELECT seq, user FROM users WHERE ${column} = ?`));
      }
    },
    /** Returns the users who have this value as this key; mobile numbers are compared without their area codes. */
    find: (key: KeyField, value: string) => read(selects.get(key)?.all(formOf(key, value)) ?? []),
    /** Returns the user with this ID; `undefined` if there is none. Made findable at the first need, since most readers have none. */
    findById(userId: string): IndexedUser | undefined {
      if (!selectById) {
        database.exec("CREATE INDEX users_by_id ON users (user ->> 'user_id')");
        selectById = database.prepare("SELECT seq, user FROM users WHERE user ->> 'user_id' = ?");
      }
      return read(selectById.all(userId))[0];
    },
    /** All users, in lists. */
    *all(): Generator<IndexedUser[], void> {
      for (const rows of readInPages<StoredUser>(database, 'users', 'seq', 'seq, user')) yield read(rows);
    },
    close: () => database.close(),
  };
}

interface StoredUser {
  seq: number;
  user: string;
}

function read(rows: readonly unknown[]): IndexedUser[] {
  return (rows as readonly StoredUser[]).map(({ seq, user }) => ({ seq, user: JSON.parse(user) as User }));
}

function formOf(key: KeyField, value: string): string {
  return key === 'mobile' ? (parseMobile(value)?.number ?? value) : normalForm(key, value);
}
