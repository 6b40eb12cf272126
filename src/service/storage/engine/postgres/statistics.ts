import type { Statement } from '../database.ts';
import { type Connections, inSession } from './connections.ts';
import { insist } from './retry.ts';

/** New users after which the statistics are looked at: among fewer, to read all of them could seem the fastest way. */
const enough = 1000;

/**
 * Counts new users, and has PostgreSQL look at their table once there are enough, unless it has since there were. Until then,
 * and autovacuum may come as late as after a minute, it does not know that a tenant has many users: to find one of them, a
 * prepared statement may read all of them, since for all it knows an index that begins with the tenant is as good as another.
 */
export function keepStatistics(connections: Connections): {
  /** Is called with each transaction that was carried out. */
  count(transaction: readonly Statement[]): void;
  /** Resolves when nothing is looked at any more. */
  idle(): Promise<void>;
} {
  let added = 0;
  let looking: Promise<void> = Promise.resolve();
  return {
    count(transaction) {
      if (!transaction.some(({ numbers }) => numbers === 'user')) return;
      added += 1;
      // Without statistics all is right, and only slower: an engine may have none, and the table another owner.
      if (added === enough) looking = analyzeUsers(connections).catch(() => {});
    },
    idle: () => looking,
  };
}

const known = `SELECT 1 FROM pg_class WHERE oid = 'users'::regclass AND reltuples >= ${enough}`;

function analyzeUsers(connections: Connections): Promise<void> {
  return inSession(connections, async (session) => {
    const { rows } = await insist(() => session.run({ sql: known }, []));
    if (rows.length === 0) await insist(() => session.exec('ANALYZE users'));
  });
}
