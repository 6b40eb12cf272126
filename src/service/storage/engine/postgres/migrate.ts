import { DatabaseError } from 'pg';
import { missingSteps, tablesOfSchema } from '../migrations.ts';
import { StoreError } from '../store-error.ts';
import { type Connections, inSession, type Session } from './connections.ts';
import { insist, isRace } from './retry.ts';

const undefinedTable = '42P01';
/** Errors that occur when another node creates the same table or index at the same moment. */
const madeMeanwhile = /^(?:23505|42P07|42710|XX000)$/;

/**
 * Brings the schema up to date, one statement at a time, because some engines commit each by itself: each can run again, by several
 * nodes that start together and after a crash. Each step is recorded. Throws if the database is newer than this program, belongs to
 * another one, or cannot store every character.
 */
export function migratePostgres(connections: Connections): Promise<void> {
  return inSession(connections, async (session) => {
    await refuseOtherEncoding(session);
    const applied = await countSteps(session);
    for (const [index, step] of missingSteps(applied).entries()) {
      // SQLite's INTEGER has 64 bits.
      await insist(() => session.exec(step.replaceAll(/\bINTEGER\b/g, 'BIGINT'), true), passes);
      const sql = 'INSERT INTO schema_steps (step, applied_at) VALUES (?, now()) ON CONFLICT DO NOTHING';
      await insist(() => session.run({ sql }, [applied + index + 1]));
    }
  });
}

async function countSteps(session: Session): Promise<number> {
  const sql = 'SELECT count(*) AS steps FROM schema_steps';
  const count = () => insist(() => session.run<{ steps: number }>({ sql }, []));
  const counted = await count().catch(async (error: unknown) => {
    if (!(error instanceof DatabaseError && error.code === undefinedTable)) throw error;
    await refuseForeign(session);
    const table = 'schema_steps (step BIGINT NOT NULL PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL)';
    await insist(() => session.exec(`CREATE TABLE IF NOT EXISTS ${table}`), passes);
    return count();
  });
  return counted.rows[0]?.steps ?? 0;
}

/**
 * Throws if the database has tables like ours that another program made, before anything in it is changed. Another node may be making
 * ours at this moment, but `schema_steps` is the first of them.
 */
async function refuseForeign(session: Session): Promise<void> {
  const sql =
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()';
  const { rows } = await insist(() => session.run<{ name: string }>({ sql }, []));
  const found = new Set(rows.map(({ name }) => name));
  const foreign = tablesOfSchema().find(({ name }) => found.has(name));
  if (!foreign || found.has('schema_steps')) return;
  throw new StoreError(
    `it is the database of another program, which has a table "${foreign.name}", too: give one without tables`,
  );
}

/** In another encoding most names could not be stored, or would be stored as bytes that nobody checks. */
async function refuseOtherEncoding(session: Session): Promise<void> {
  const sql = "SELECT current_setting('server_encoding') AS encoding";
  const { rows } = await insist(() => session.run<{ encoding: string }>({ sql }, []));
  const encoding = rows[0]?.encoding ?? '';
  if (encoding === 'UTF8') return;
  throw new StoreError(
    `the database has the encoding ${encoding}, which cannot store every name: give one with UTF8 (createdb --encoding UTF8 --template template0)`,
  );
}

function passes(error: unknown): boolean {
  return isRace(error) || (error instanceof DatabaseError && madeMeanwhile.test(error.code ?? ''));
}
