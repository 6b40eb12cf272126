/**
 * Imports with the sources, for the benches: `node run-import.mjs FILE JOB BASE_URL IN_FLIGHT --journal|--no-journal`.
 * Without a journal only the number of outcomes is kept.
 */
import { loadSource } from '../test/load-source.mjs';

/** Has the functions that an import of a whole file calls; its lists for the reports are empty. */
const noJournal = `export function refuseOtherImport() {}
export async function openJournal() {
  const counted = new Map();
  return {
    isCorrected: false, run: 1,
    intend() {}, intendExactly() {}, withdraw() {}, arrivesUntil() {}, lowerWatermark() {},
    outcomeOf() {}, report() {}, close() {}, set() {}, facts: () => ({}),
    fingerprints: { record: (rows) => rows },
    users: { firstCreated() {}, rowOf() {} },
    record: ({ result }) => void counted.set(result, (counted.get(result) ?? 0) + 1),
    counts: () => [...counted].map(([result, rows]) => ({ result, algorithm: null, code: null, rows })),
    list: () => [], withoutRow: () => 0, unanswered: () => 0,
    runs: () => [{ started_at: 0, seconds: null, note: '' }],
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
