import { inspect } from 'node:util';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Database, Statement } from '../../../../../src/service/storage/engine/database.ts';
import { openPostgres } from '../../../../../src/service/storage/engine/postgres/postgres.ts';
import { emptyPostgres, temporaryDatabase } from '../../temporary-database.ts';

const table = 'CREATE TABLE things (number BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL)';

async function start() {
  const url = await temporaryDatabase();
  const admin = new Client(url);
  await admin.connect();
  await admin.query(table);
  const database = await openPostgres(url);
  onTestFinished(async () => {
    await admin.end();
    await database.close();
  });
  return { url, admin, database };
}

function add(number: number, name: string | null, more: Partial<Statement> = {}): Statement {
  return { sql: 'INSERT INTO things (number, name) VALUES (?, ?)', values: [number, name], ...more };
}

async function numbers(database: Database): Promise<number[]> {
  const sql = 'SELECT number FROM things ORDER BY number';
  return (await database.query<{ number: number }>(sql, [])).map(({ number }) => number);
}

/** Ends the connection that waits for a lock, as a crash of the server or a failure of the network would. */
async function endWaitingBackend(admin: Client): Promise<void> {
  const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect((await admin.query(sql)).rowCount).toBe(1), {
    timeout: 10_000,
    interval: 10,
  });
}

test('of many nodes that start at the same time on an empty database exactly one creates the schema', async () => {
  const url = await emptyPostgres();
  const nodes = await Promise.all(Array.from({ length: 8 }, () => openPostgres(url)));
  const [node] = nodes;
  const steps = await node?.query<{ step: number }>('SELECT step FROM schema_steps ORDER BY step', []);
  expect(steps?.map(({ step }) => step)).toEqual(steps?.map((_, index) => index + 1));
  expect(steps?.length).toBeGreaterThan(0);
  await Promise.all(nodes.map((opened) => opened.close()));
});

test('a schema that was left incomplete is completed', async () => {
  const { url, admin } = await start();
  // The crash came after a step of the schema, and before the step was recorded.
  await admin.query('DROP TABLE key_file, signing_keys, password_history');
  await admin.query('DELETE FROM schema_steps WHERE step > 10');
  const database = await openPostgres(url);
  const content = ['key_file', 'signing_keys', 'password_history'].map((table) =>
    database.query(`SELECT * FROM ${table}`, []),
  );
  expect(await Promise.all(content)).toEqual([[], [], []]);
  await database.close();
});

test('a database that was created by a newer version is refused', async () => {
  const { url, admin } = await start();
  await admin.query(
    'INSERT INTO schema_steps (step, applied_at) SELECT n, now() FROM generate_series(500, 999) n',
  );
  await expect(openPostgres(url)).rejects.toThrow('newer version of tenant-users');
});

test('transactions that arrive together share a commit', async () => {
  const { database } = await start();
  const commits = Array.from({ length: 200 }, (_, number) => database.commit([add(number, 'x')]));
  expect(await Promise.all(commits)).toEqual(Array(200).fill(true));
  const sql = 'SELECT count(DISTINCT xmin::text) AS transactions FROM things';
  const [row] = await database.query<{ transactions: number }>(sql, []);
  expect(row?.transactions).toBeLessThan(5);
});

/** Records the number of rows of each statement that inserts things, unless it is rolled back. */
const keepRows = `CREATE TABLE statements (rows BIGINT NOT NULL);
  CREATE FUNCTION keep_rows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO statements SELECT count(*) FROM given; RETURN NULL; END $$;
  CREATE TRIGGER keep_rows AFTER INSERT ON things
    REFERENCING NEW TABLE AS given FOR EACH STATEMENT EXECUTE FUNCTION keep_rows()`;

/** An insert that can be executed together with others in one statement. */
function addTogether(number: number, name = 'x'): Statement {
  const sql = 'INSERT INTO things (number, name) VALUES (?, ?) ON CONFLICT DO NOTHING';
  return { sql, values: [number, name], types: ['bigint', 'text'] };
}

function commitTogether(database: Database, list: readonly number[]): Promise<boolean[]> {
  return Promise.all(list.map((number) => database.commit([addTogether(number)])));
}

test('the inserts of a batch are one statement, or one for each if an insert has no effect', async () => {
  const { admin, database } = await start();
  await admin.query(keepRows);
  const kept = async () => {
    const { rows } = await admin.query<{ rows: string }>('DELETE FROM statements RETURNING rows');
    return rows.map(({ rows }) => Number(rows));
  };
  expect(await commitTogether(database, [1, 2, 3, 4])).toEqual([true, true, true, true]);
  expect(await kept()).toEqual([4]);
  expect(await commitTogether(database, [5, 1, 6])).toEqual([true, false, true]);
  expect(await kept()).toEqual([1, 0, 1]);
});

test('inserts are sent one by one to an engine that refuses them together', async () => {
  const { admin, database } = await start();
  await admin.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM given) > 1 THEN RAISE EXCEPTION 'no' USING ERRCODE = '0A000'; END IF;
      RETURN NULL; END $$;
    CREATE TRIGGER refuse AFTER INSERT ON things
      REFERENCING NEW TABLE AS given FOR EACH STATEMENT EXECUTE FUNCTION refuse()`);
  expect(await commitTogether(database, [1, 2, 3])).toEqual([true, true, true]);
  expect(await numbers(database)).toEqual([1, 2, 3]);
});

test.for([
  { way: 'of a statement', statements: [add(1, 'a')] },
  { way: 'of inserts together', statements: [addTogether(1), addTogether(2)] },
])('a deadlock or a serialization failure $way is retried', async ({ statements }) => {
  const { admin, database } = await start();
  await admin.query(`CREATE SEQUENCE tries;
    CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      CASE nextval('tries') WHEN 1 THEN RAISE EXCEPTION 'a' USING ERRCODE = '40P01';
        WHEN 2 THEN RAISE EXCEPTION 'b' USING ERRCODE = '40001'; ELSE RETURN NEW; END CASE; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON things FOR EACH ROW EXECUTE FUNCTION fail_twice()`);
  const commits = statements.map((statement) => database.commit([statement]));
  expect(await Promise.all(commits)).toEqual(statements.map(() => true));
  expect(await numbers(database)).toEqual(statements.map((_, index) => index + 1));
});

test('a connection that breaks before the commit is replaced', async () => {
  const { url, admin, database } = await start();
  const holder = new Client(url);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE things IN EXCLUSIVE MODE');
  const done = database.commit([add(1, 'a')]);
  await endWaitingBackend(admin);
  await holder.query('COMMIT');
  await holder.end();
  expect(await done).toBe(true);
  expect(await numbers(database)).toEqual([1]);
});

test('a commit that gets no answer is not reported as done', async () => {
  const { admin, database } = await start();
  await admin.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON things DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION wait()`);
  await admin.query('SELECT pg_advisory_lock(1)');
  const outcome = expect(database.commit([add(1, 'a')])).rejects.toMatchObject({ code: 'COMMIT_UNKNOWN' });
  await endWaitingBackend(admin);
  await outcome;
  await admin.query('SELECT pg_advisory_unlock(1)');
  expect(await numbers(database)).toEqual([]);
  expect(await database.commit([add(2, 'b')])).toBe(true);
});

test('a commit that the standby may not have is not reported as done', async () => {
  const { admin, database } = await start();
  // The warning of PostgreSQL when its wait for the standby is cancelled.
  await admin.query(`CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE WARNING USING ERRCODE = '01000', MESSAGE = 'might not have been replicated'; RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER warn AFTER INSERT ON things DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION warn()`);
  await expect(database.commit([add(1, 'a')])).rejects.toMatchObject({
    code: 'COMMIT_UNKNOWN',
    message: 'it is not known whether the commit took place: might not have been replicated',
  });
});

test('uncommitted changes of other connections are not read', async () => {
  const { admin, database } = await start();
  await admin.query("BEGIN; INSERT INTO things VALUES (1, 'a')");
  expect(await numbers(database)).toEqual([]);
  await admin.query('COMMIT');
  expect(await numbers(database)).toEqual([1]);
});

test('transactions with the same tenant lock wait for each other, also on another node, and leave no gap in the numbers', async () => {
  const { url, admin, database } = await start();
  const other = await openPostgres(url);
  await admin.query('INSERT INTO numbers VALUES (7, 0, 0); ALTER TABLE things ADD COLUMN change BIGINT');
  const sql = 'INSERT INTO things (number, change, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
  const unless = { sql: 'SELECT 1 FROM things WHERE name = ?', values: ['name 0'] };
  const add = (n: number): Statement => ({
    sql,
    values: [`name ${n % 70}`],
    ...(n % 3 ? {} : { unless: { ...unless, values: [`name ${n % 70}`] } }),
    numbers: 'user',
    tenantLock: 7,
  });
  await admin.query('CREATE UNIQUE INDEX ON things (name)');
  const commits = Array.from({ length: 100 }, (_, n) => (n % 2 ? database : other).commit([add(n)]));
  expect((await Promise.all(commits)).filter((done) => done)).toHaveLength(70);
  expect(await numbers(database)).toEqual(Array.from({ length: 70 }, (_, n) => n + 1));
  const last = await database.query('SELECT seq FROM numbers WHERE tenant = 7', []);
  expect(last).toEqual([{ seq: 70 }]);
  await other.close();
});

test('an error message contains neither a row nor an address', async () => {
  const { database } = await start();
  const broken = {
    sql: 'INSERT INTO things (number, name) VALUES (?, NULLIF(?, ?))',
    values: [4711, 'x', 'x'],
  };
  const failure = await database.commit([broken]).catch((error: unknown) => error);
  const text = inspect(failure, { depth: 9, showHidden: true });
  expect(text).toContain('null value in column "name"');
  expect(text).not.toMatch(/4711|postgres:\/\//);
});

test('a text with a U+0000 is stored with another code point, in single inserts and in combined ones', async () => {
  const { database } = await start();
  const given = ['\0'.repeat(100), 'a\0b', '\uffff'.repeat(100)];
  await database.commit([add(0, given[0] ?? '')]);
  await Promise.all(given.map((name, index) => database.commit([addTogether(index + 1, name)])));
  const stored = await database.query('SELECT name FROM things ORDER BY number', []);
  const [first, ...others] = given.map((name) => ({ name: name.replaceAll('\0', '\u{10ffff}') }));
  expect(stored).toEqual([first, first, ...others]);
});

test('a look-up of a text with a U+0000 finds nothing and does not fail', async () => {
  const { database } = await start();
  await database.commit([add(1, 'a')]);
  expect(await database.query('SELECT * FROM things WHERE name = ?', ['a\0'])).toEqual([]);
});
