import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bin, here, runToEnd, startServer, startService } from './processes.mjs';
import { comparison } from './rows.mjs';

/** @import { ImportOptions, Options } from './options.mjs' */

/** Invalid rows in every file of fixtures/. */
export const refusedRows = 12;

/** @typedef {{ rate: number, importer: number, service: number }} Run Rows a second, and megabytes at most. */

/**
 * Writes the users of an imaginary older system, and resolves to the file.
 * @param {Options} options
 * @param {number} rows
 */
export async function makeSource(options, rows) {
  const file = join(options.directory, `${rows}.csv`);
  await runToEnd([here('../fixtures/make-legacy-users.mjs'), '--rows', String(rows), '--output', file]);
  return { file, rows };
}

/** @typedef {Awaited<ReturnType<typeof makeSource>>} Source */

/**
 * The HTTP limit: rows a second of a bare import into a bare server.
 * @param {ImportOptions} options
 * @param {Source} source
 */
export async function importBare({ inFlight }, { file, rows }) {
  const server = await startServer([here('bare-server.mjs')]);
  const { seconds, stdout } = await runToEnd([
    here('bare-import.mjs'),
    file,
    server.baseUrl,
    String(inFlight),
  ]);
  await server.end();
  if (Number(stdout) !== rows) throw new Error(`${stdout} rows were answered`);
  return rows / seconds;
}

/**
 * Into `serve`, on a database of its own, by the built program.
 * @param {ImportOptions} options
 * @param {Source} source
 * @returns {Promise<Run>}
 */
export function importIntoServe(options, source) {
  return intoServe(options, source, async (baseUrl) => {
    const { seconds, peak, stdout } = await runToEnd(importOf(options, source, '--base-url', baseUrl));
    checkBooks(source, stdout);
    return { seconds, peak };
  });
}

/**
 * Runs the same import from the sources, with a journal or without; the time to build them is not measured.
 * @param {ImportOptions} options
 * @param {Source} source
 * @param {'--journal' | '--no-journal'} way
 * @returns {Promise<Run>}
 */
export function importFromSource(options, source, way) {
  return intoServe(options, source, async (baseUrl) => {
    const args = [source.file, jobOf(options), baseUrl, String(options.inFlight), way];
    const { peak, stdout } = await runToEnd([here('run-import.mjs'), ...args]);
    return { seconds: checkBooks(source, stdout), peak };
  });
}

/**
 * Runs one command with the service inside; returns rows a second.
 * @param {ImportOptions} options
 * @param {Source} source
 */
export async function importLocal(options, source) {
  const database = await options.databases.fresh();
  const { seconds, stdout } = await runToEnd(importOf(options, source, '--local', database));
  checkBooks(source, stdout);
  await options.databases.drop(database);
  await forgetJob(options);
  return source.rows / seconds;
}

/**
 * Arguments of an import by the built program, in the job directory of the run.
 * @param {ImportOptions} options
 * @param {Source} source
 * @param {string[]} more
 */
export function importOf(options, { file }, ...more) {
  const flight = ['--concurrency', String(options.inFlight)];
  return [bin, 'import-hashes', file, '--job', jobOf(options), '--json', '--yes', ...flight, ...more];
}

/**
 * Runs one import into a new service. Afterwards the service and the job directory are removed.
 * @param {ImportOptions} options
 * @param {Source} source
 * @param {(baseUrl: string) => Promise<{ seconds: number, peak: number }>} run
 * @returns {Promise<Run>}
 */
async function intoServe(options, { rows }, run) {
  const database = await options.databases.fresh();
  const server = await startService(database);
  const { seconds, peak } = await run(server.baseUrl);
  const service = await server.end();
  await options.databases.drop(database);
  await forgetJob(options);
  return { rate: rows / seconds, importer: peak, service };
}

/** @param {Options} options */
function jobOf({ directory }) {
  return join(directory, 'job.import');
}

/**
 * Removes the job records of the last run.
 * @param {Options} options
 */
export async function forgetJob(options) {
  await rm(jobOf(options), { recursive: true, force: true });
}

/**
 * Checks that all valid rows were created; returns the seconds that the import itself took.
 * @param {Source} source
 * @param {string} summary
 * @returns {number}
 */
function checkBooks({ rows }, summary) {
  const { created, seconds } = JSON.parse(summary);
  if (created < rows - refusedRows) throw new Error(`not all rows are users: ${summary}`);
  return seconds;
}

/**
 * Rows a second with many rows, compared with those with few.
 * @param {Source} source
 * @param {Source} tenth
 * @param {number[]} many
 * @param {number[]} few
 */
export function growthRow(source, tenth, many, few) {
  const [large, small] = [source, tenth].map(({ rows }) => rows.toLocaleString('en'));
  return comparison(`import of ${large} rows, against ${small}`, 'rows/s', many, few, { atLeast: 0.7 });
}
