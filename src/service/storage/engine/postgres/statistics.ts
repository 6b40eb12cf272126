import type { Statement } from '../database.ts';
import { type Connections, inSession } from './connections.ts';
import { insist } from './retry.ts';

/** Number of new users before their table is analyzed: with fewer, PostgreSQL could consider reading all users the fastest way. */
const enough = 1000;

/**
 * Counts new users, and has PostgreSQL analyze their table once there are enough, unless it has statistics already. Until then
 * (even autovacuum can take a minute), PostgreSQL does not know that a tenant has many users: a prepared statement that looks for
 * one may read all of them, because any index that begins with the tenant seems equally good.
 */
export function keepStatistics(connections: Connections) {
  let added = 0;
  let looking: Promise<void> = Promise.resolve();
  return {
    /** Called with each transaction that was carried out. */
    count(transaction: readonly Statement[]): void {
      if (!transaction.some(({ numbers }) => numbers === 'user')) return;
      added += 1;
      // A failure only costs speed, and is ignored: an engine may have no statistics, and the table another owner.
      if (added === enough) looking = analyzeUsers(connections).catch(() => {});
    },
    /** Resolves when no analysis is running. */
    idle: () => looking,
  };
}

const known = `SELECT 1 FROM pg_class WHERE oid = 'users'::regclass AND reltuples >= ${enough}`;

function analyzeUsers(connections: Connections): Promise<void> {
  return inSession(connections, async (session) => {
    const { rows } = await insist(() => session.run({ sql: known }, []));
    if (rows.length === 0) await insist(() => session.exec('ANALYZE users', true));
  });
}
