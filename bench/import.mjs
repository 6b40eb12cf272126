import { loadSource } from '../test/load-source.mjs';
import {
  growthRow,
  importBare,
  importFromSource,
  importIntoServe,
  importLocal,
  makeSource,
} from './import-runs.mjs';
import { here, runToEnd } from './processes.mjs';
import { comparison } from './rows.mjs';

/** @import { ImportOptions, Options } from './options.mjs' */
/** @import { Source } from './import-runs.mjs' */

/**
 * The speed of `import-hashes` as a whole process, with every row durable, journal and checks: into `serve` and with
 * `--local`, compared with the HTTP limit, and on SQLite with the store limit; the cost of the journal; and on request
 * the growth with the number of rows.
 * @param {Options} given
 */
export async function* measure(given) {
  // The highest value of `--concurrency`: the bench may use its service fully.
  const options = { ...given, inFlight: given.inFlight ?? 512 };
  const { rows = 100_000, databases, rounds } = options;
  const source = await makeSource(options, rows);
  /** @type {Record<'http' | 'serve' | 'local' | 'store' | 'kept' | 'unkept', number[]>} */
  const rates = { http: [], serve: [], local: [], store: [], kept: [], unkept: [] };
  for (let round = 1; round <= rounds; round += 1) {
    options.say(`import: round ${round} of ${rounds}`);
    rates.http.push(await importBare(options, source));
    rates.serve.push((await importIntoServe(options, source)).rate);
    rates.local.push(await importLocal(options, source));
    if (!databases.isPostgres) rates.store.push(await insertBare(options, source));
    rates.kept.push((await importFromSource(options, source, '--journal')).rate);
    rates.unkept.push((await importFromSource(options, source, '--no-journal')).rate);
  }
  const { http, serve, local, store, kept, unkept } = rates;
  const [of, unit] = [`import of ${rows.toLocaleString('en')} rows`, 'rows/s'];
  const goals = databases.isPostgres
    ? { serve: { atLeast: 0.45 } }
    : { serve: { atLeast: 0.6 }, local: { atLeast: 0.75 } };
  yield comparison(`${of} into serve, against the HTTP limit`, unit, serve, http, goals.serve);
  yield comparison(`${of} --local, against the HTTP limit`, unit, local, http, goals.local);
  if (store.length > 0) yield comparison(`${of} into serve, against the store limit`, unit, serve, store);
  yield comparison(`${of} into serve, against no journal`, unit, kept, unkept, { atLeast: 0.9 });
  if (options.growth || rows >= 1_000_000) yield await growth(options, source);
}

/**
 * Into serve, all rows compared with a tenth of them.
 * @param {ImportOptions} options
 * @param {Source} source
 */
async function growth(options, source) {
  const tenth = await makeSource(options, Math.ceil(source.rows / 10));
  /** @type {[number[], number[]]} */
  const [many, few] = [[], []];
  for (let round = 1; round <= options.rounds; round += 1) {
    options.say(`import, growth: round ${round} of ${options.rounds}`);
    few.push((await importIntoServe(options, tenth)).rate);
    many.push((await importIntoServe(options, source)).rate);
  }
  return growthRow(source, tenth, many, few);
}

/**
 * The store limit: rows a second of a bare insert loop, with as many rows in a transaction as there are in flight.
 * @param {ImportOptions} options
 * @param {Source} source
 */
async function insertBare({ databases, inFlight }, { file }) {
  const location = await databases.fresh();
  const { openDatabase } = await loadSource('service/storage/open-database.ts');
  await (await openDatabase(location)).close();
  const { stdout } = await runToEnd([here('bare-store.mjs'), file, location, String(inFlight)]);
  await databases.drop(location);
  return Number(stdout);
}
