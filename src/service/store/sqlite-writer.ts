import { threadFile } from '../thread-file.ts';
import type { Database } from './database.ts';
import { groupUnits } from './group-units.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { runGroup } from './sqlite-group.ts';
import { type CommitThread, startCommitThread } from './start-commit-thread.ts';

/** Units in one group from which a thread of its own pays. */
const busyFrom = 4;

/**
 * Commits units in groups. While there is little to do the caller's thread commits; from the first busy turn on a thread of
 * its own does, and requests are read and answered while SQLite works and waits for the disk. A database in memory belongs to the caller's thread.
 */
export function openSqliteWriter(
  path: string,
  connection: SqliteConnection,
): Pick<Database, 'commit' | 'close'> {
  const file = path === ':memory:' ? undefined : threadFile('commit');
  let thread: CommitThread | undefined;

  const { commit, idle } = groupUnits(async (units) => {
    if (file && !thread?.isAlive() && units.length >= busyFrom) thread = startCommitThread(file, path);
    return thread?.isAlive() ? thread.commit(units) : runGroup(connection, units);
  });

  return {
    commit,
    async close() {
      await idle();
      await thread?.close();
    },
  };
}
