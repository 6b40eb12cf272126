/** Version of the journal's tables; a journal of another version is refused. */
export const journalVersion = 1;

/**
 * `job`: what the job is and how far it went, a value a line. `outcomes`: what became of each row. `earlier`: outcomes
 * of the file as it was before it was mended, known again by their key.
 */
export const schema = `
  CREATE TABLE job (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE outcomes (
    row INTEGER PRIMARY KEY, line INTEGER NOT NULL, result TEXT NOT NULL, algorithm TEXT, key TEXT, user_name TEXT,
    external_id TEXT, user_id TEXT, code TEXT, message TEXT, hint TEXT);
  CREATE TABLE earlier (
    row INTEGER NOT NULL, line INTEGER NOT NULL, result TEXT NOT NULL, algorithm TEXT, key TEXT PRIMARY KEY,
    user_name TEXT, external_id TEXT, user_id TEXT, code TEXT, message TEXT, hint TEXT) WITHOUT ROWID;
  CREATE TABLE runs (
    run INTEGER PRIMARY KEY, started_at INTEGER NOT NULL, seconds REAL, source TEXT NOT NULL, note TEXT NOT NULL);
  PRAGMA user_version = ${journalVersion};`;

/** Takes the tables of an earlier job away. */
export const dropTables = ['job', 'outcomes', 'earlier', 'runs']
  .map((table) => `DROP TABLE IF EXISTS ${table};`)
  .join(' ');
