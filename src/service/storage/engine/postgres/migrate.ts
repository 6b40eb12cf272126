import { DatabaseError } from 'pg';
import { missingSteps } from '../migrations.ts';
import { type Connections, inSession, type Session } from './connections.ts';
import { insist, isRace } from './retry.ts';

const undefinedTable = '42P01';
/** Errors that occur when another node creates the same table or index at the same moment. */
const madeMeanwhile = /^(?:23505|42P07|42710|XX000)$/;

/**
 * Brings the schema up to date, one statement at a time, because some engines commit each by itself: each can run again, by several
 * nodes that start together and after a crash. Each step is recorded. Throws if the database is newer than this program.
 */
export function migratePostgres(connections: Connections): Promise<void> {
  return inSession(connections, async (session) => {
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
    const table = 'schema_steps (step BIGINT NOT NULL PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL)';
    await insist(() => session.exec(`CREATE TABLE IF NOT EXISTS ${table}`), passes);
    return count();
  });
  return counted.rows[0]?.steps ?? 0;
}

function passes(error: unknown): boolean {
  return isRace(error) || (error instanceof DatabaseError && madeMeanwhile.test(error.code ?? ''));
}
