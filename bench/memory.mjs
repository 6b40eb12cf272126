import { forgetJob, growthRow, importIntoServe, importOf, makeSource } from './import-runs.mjs';
import { runToEnd } from './processes.mjs';
import { comparison, figure } from './rows.mjs';

/** @import { ImportOptions, Options } from './options.mjs' */
/** @import { Run, Source } from './import-runs.mjs' */

const flat = { atMost: 1.3 };

/**
 * Peak memory of `import-hashes` and of `serve` during an import of a million rows, compared with a tenth of them, and
 * the speed of both; and memory and time of reading and checking alone (`--dry-run`).
 * @param {Options} given
 */
export async function* measure(given) {
  const options = { ...given, inFlight: given.inFlight ?? 64 };
  const { rows = 1_000_000, rounds } = options;
  const [many, few] = [await makeSource(options, rows), await makeSource(options, Math.ceil(rows / 10))];
  /** @type {Record<'many' | 'few' | 'manyDry' | 'fewDry', Run[]>} */
  const runs = { many: [], few: [], manyDry: [], fewDry: [] };
  for (let round = 1; round <= rounds; round += 1) {
    options.say(`memory: round ${round} of ${rounds}`);
    runs.fewDry.push(await dryRun(options, few));
    runs.manyDry.push(await dryRun(options, many));
    runs.few.push(await importIntoServe(options, few));
    runs.many.push(await importIntoServe(options, many));
  }
  const [large, small] = [many, few].map((source) => source.rows.toLocaleString('en'));
  const against = `${large} rows, against ${small}`;
  const importer = (/** @type {Run} */ run) => run.importer;
  const service = (/** @type {Run} */ run) => run.service;
  yield figure(`memory of the importer, ${large} rows`, 'MB', runs.many.map(importer), { atMost: 160 });
  yield figure(`memory of the service, ${large} rows`, 'MB', runs.many.map(service), { atMost: 300 });
  const [manyImporter, fewImporter] = [runs.many.map(importer), runs.few.map(importer)];
  yield comparison(`memory of the importer, ${against}`, 'MB', manyImporter, fewImporter, flat);
  const [manyService, fewService] = [runs.many.map(service), runs.few.map(service)];
  yield comparison(`memory of the service, ${against}`, 'MB', manyService, fewService, flat);
  const [manyDry, fewDry] = [runs.manyDry.map(importer), runs.fewDry.map(importer)];
  yield comparison(`memory of a dry run, ${against}`, 'MB', manyDry, fewDry, flat);
  const [manyTimes, fewTimes] = [runs.manyDry.map(timeOfRow), runs.fewDry.map(timeOfRow)];
  yield comparison(`dry run, a row of ${large}, against ${small}`, 'µs', manyTimes, fewTimes, {
    atMost: 1.1,
  });
  const [manyRates, fewRates] = [runs.many, runs.few].map((some) => some.map(({ rate }) => rate));
  yield growthRow(many, few, manyRates ?? [], fewRates ?? []);
}

/**
 * @param {ImportOptions} options
 * @param {Source} source
 * @returns {Promise<Run>}
 */
async function dryRun(options, source) {
  const { seconds, peak } = await runToEnd(importOf(options, source, '--dry-run'));
  await forgetJob(options);
  return { rate: source.rows / seconds, importer: peak, service: 0 };
}

/** @param {Run} run */
function timeOfRow({ rate }) {
  return 1e6 / rate;
}
