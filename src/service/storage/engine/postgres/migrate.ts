import type { ClientBase, Pool } from 'pg';
import { missingSteps } from '../migrations.ts';
import { lockTenant } from './writer.ts';

/**
 * Brings the schema up to date in one transaction: of several nodes that start together one does it, and the others
 * wait for it. Each step is recorded. Throws when the database is newer than this program.
 */
export async function migratePostgres(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(lockTenant(0));
    const applied = await countSteps(client);
    const steps = missingSteps(applied);
    for (const [index, step] of steps.entries()) {
      // SQLite's INTEGER has 64 bits.
      await client.query(step.replaceAll(/\bINTEGER\b/g, 'BIGINT'));
      await client.query('INSERT INTO schema_steps (step, applied_at) VALUES ($1, now())', [
        applied + index + 1,
      ]);
    }
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function countSteps(client: ClientBase): Promise<number> {
  const { rows } = await client.query("SELECT to_regclass('schema_steps') IS NOT NULL AS known");
  if (!rows[0].known) {
    await client.query(
      'CREATE TABLE schema_steps (step BIGINT NOT NULL PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL)',
    );
  }
  const counted = await client.query<{ steps: number }>('SELECT count(*) AS steps FROM schema_steps');
  return counted.rows[0]?.steps ?? 0;
}
