import { ownPostgres } from './databases.mjs';
import { importByNodes } from './import-by-nodes.mjs';
import { makeSource } from './import-runs.mjs';
import { median } from './median.mjs';
import { comparison, figure } from './rows.mjs';

/** @import { Options } from './options.mjs' */
/** @import { NodesRun } from './import-by-nodes.mjs' */

/**
 * Two `serve` nodes on one PostgreSQL, and two importers with a share each, compared with one node and one importer.
 * The load of the cores shows whether they were the limit.
 * @param {Options} options
 */
export async function* measure(options) {
  if (options.databases.isPostgres) {
    yield* compareNodes(options);
    return;
  }
  const databases = await ownPostgres();
  if (!databases) {
    options.say('nodes: skipped, since no initdb and postgres were found');
    return;
  }
  try {
    yield* compareNodes({ ...options, databases });
  } finally {
    await databases.close();
  }
}

/** @param {Options} options */
async function* compareNodes(options) {
  const { rows = 100_000, rounds } = options;
  const source = await makeSource(options, rows);
  /** @type {[NodesRun[], NodesRun[]]} */
  const [ones, twos] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    options.say(`nodes: round ${round} of ${rounds}`);
    ones.push(await importByNodes(options, source, 1));
    twos.push(await importByNodes(options, source, 2));
  }
  const what = `import of ${rows.toLocaleString('en')} rows, two nodes and importers, against one of each`;
  const rate = (/** @type {NodesRun} */ run) => run.rate;
  const busy = (/** @type {NodesRun} */ run) => run.busy;
  yield comparison(what, 'rows/s', twos.map(rate), ones.map(rate));
  const limited = median(twos.map(busy)) >= 90 ? 'the limit' : 'not the limit';
  const cores = `cores busy meanwhile (${limited}), two nodes, against one`;
  yield comparison(cores, '%', twos.map(busy), ones.map(busy));
  const worst = (/** @type {'missing' | 'twice'} */ fault) => [Math.max(...twos.map((run) => run[fault]))];
  yield figure('rows missing, two nodes', 'rows', worst('missing'), { atMost: 0 });
  yield figure('rows there twice, two nodes', 'rows', worst('twice'), { atMost: 0 });
}
