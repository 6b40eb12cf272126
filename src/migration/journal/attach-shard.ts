import type { JournalDatabase } from './database.ts';
import { outcomeColumns } from './tables.ts';

/** Adds what the journal of a shard holds, as it is, to that of the whole file. */
export function attachShard(connection: JournalDatabase, path: string): void {
  connection.prepare('ATTACH ? AS shard').run(path);
  // What a shard may have sent, the merged job may have sent.
  connection.exec(`INSERT INTO outcomes SELECT ${outcomeColumns} FROM shard.outcomes;
    INSERT OR IGNORE INTO earlier SELECT ${outcomeColumns} FROM shard.earlier;
    INSERT OR REPLACE INTO exact_intents SELECT row, arrives_until FROM shard.exact_intents;
    INSERT OR IGNORE INTO job SELECT name, value FROM shard.job WHERE name IN ('canaries', 'corrected');
    INSERT OR REPLACE INTO job SELECT 'may_be_sent', coalesce(max(CAST(value AS INTEGER)), 0) FROM (
      SELECT value FROM shard.job WHERE name = 'may_be_sent'
      UNION ALL SELECT value FROM main.job WHERE name = 'may_be_sent');
    DETACH shard`);
}
