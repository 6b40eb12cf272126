/**
 * Imports with the sources, for the benches: `node run-import.mjs FILE JOB BASE_URL IN_FLIGHT --journal|--no-journal`.
 * Without a journal only the number of outcomes is kept.
 */
import { loadSource } from '../test/load-source.mjs';

/**
 * Has the functions that an import of a whole file calls. What reads the journal gets an empty one in memory, with the outcomes
 * that were counted.
 */
const noJournal = `import { DatabaseSync } from '@photostructure/sqlite';
import { openJournalDatabase } from './database/database.ts';
import { schema } from './database/tables.ts';
export async function openJournal() {
  const counted = new Map();
  const connection = openJournalDatabase(DatabaseSync, ':memory:');
  connection.exec(schema);
  connection.exec("INSERT INTO runs (started_at, source, note) VALUES (0, '', '')");
  return {
    isCorrected: false, run: 1,
    intend() {}, intendExactly() {}, withdraw() {}, arrivesUntil() {}, lowerWatermark() {},
    outcomeOf() {}, report() {}, close() {}, set() {}, facts: () => ({}),
    fingerprints: { record: (rows) => rows },
    users: { firstCreated() {}, rowOf() {} },
    record: ({ result }) => void counted.set(result, (counted.get(result) ?? 0) + 1),
    committed() {
      for (const [result, rows] of counted)
        connection.rows(
          'WITH RECURSIVE n (row) AS (SELECT 1 UNION ALL SELECT row + 1 FROM n WHERE row < ?) ' +
            'INSERT INTO outcomes (row, line, result) SELECT (SELECT count(*) FROM outcomes) + row, 0, ? FROM n',
          rows, result,
        );
      counted.clear();
      return connection;
    },
  };
}`;

const [file = '', jobDirectory = '', baseUrl = '', inFlight = '', way] = process.argv.slice(2);
const without = way === '--no-journal';
const inPlace = without ? { 'journal/open-journal.ts': noJournal } : {};
/** @type {{ importInto: typeof import('./import-into.ts').importInto }} */
const { importInto } = await loadSource('../bench/import-into.ts', inPlace);
if (without) (await import('node:fs')).mkdirSync(jobDirectory);
const { summary } = await importInto(baseUrl, { file, jobDirectory, concurrency: Number(inFlight) });
process.stdout.write(JSON.stringify(summary));
