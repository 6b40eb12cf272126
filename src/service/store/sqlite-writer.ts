import { threadFile } from '../thread-file.ts';
import type { Database } from './database.ts';
import { groupUnits } from './group-units.ts';
import { watchIdleCore } from './idle-core.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { runGroup } from './sqlite-group.ts';
import { type CommitThread, startCommitThread } from './start-commit-thread.ts';

/** Units in one group that show that there is much to do. */
const busyFrom = 4;

/**
 * Commits units in groups. While there is little to do the caller's thread commits; from the time on at which there is much and
 * a core is idle, a thread of its own does, and requests are read and answered while SQLite works and waits for the disk. Where
 * an importer and the service share two cores, a third thread costs a fifth more (measured with 32 to 128 rows on the wire).
 * A database in memory belongs to the caller's thread.
 */
export function openSqliteWriter(
  path: string,
  connection: SqliteConnection,
  isCoreIdle = watchIdleCore(),
): Pick<Database, 'commit' | 'close'> {
  const file = path === ':memory:' ? undefined : threadFile('commit');
  let thread: CommitThread | undefined;

  const { commit, idle } = groupUnits(async (units) => {
    const isBusy = file && units.length >= busyFrom && !thread?.isAlive();
    if (isBusy && isCoreIdle()) thread = startCommitThread(file, path);
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
