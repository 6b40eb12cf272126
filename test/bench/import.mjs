/**
 * How fast `import-hashes` is, whole processes, against the HTTP limit: csv-parse over the same file and a POST a row by a
 * bare pool, as many in flight, to a bare server. Into `serve` on SQLite (or `--database postgres://…`), every row durable,
 * journal and checks on, and with `--local`; and what the journal costs. `--rows N` (default 100,000), `--rounds N`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bin, runToEnd, startServer } from './processes.mjs';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    database: { type: 'string' },
  },
});
const rows = Number(options.rows);
const inFlight = 64;
const directory = await mkdtemp(join(tmpdir(), 'tenant-users-bench-'));
const file = join(directory, 'users.csv');
const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
let runs = 0;

/** @typedef {{ rate: number, importer: number, service?: number }} Run Rows a second, and megabytes at most. */

/** @type {Record<string, { run: () => Promise<Run>, goal?: number }>} */
const cases = {
  'HTTP limit': { run: bare },
  'into serve': { run: () => remote(fromBuilt), goal: options.database ? 0.2 : 0.5 },
  '--local': { run: local, goal: 0.4 },
  'with the journal': { run: () => remote(fromSource) },
  'without a journal': { run: () => remote(withoutJournal) },
};

try {
  await runToEnd([here('../../fixtures/make-legacy-users.mjs'), '--rows', String(rows), '--output', file]);
  /** @type {Map<string, Run[]>} */
  const results = new Map(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const [name, { run }] of Object.entries(cases)) results.get(name)?.push(await run());
  }
  print(`${rows.toLocaleString('en')} rows, ${inFlight} in flight, medians of ${options.rounds} rounds`);
  print('what                 rows/s   ratio    goal  importer   service');
  const limits = results.get('HTTP limit') ?? [];
  for (const [name, { goal }] of Object.entries(cases)) {
    const own = results.get(name) ?? [];
    const ratio = median(own.map(({ rate }, round) => rate / (limits[round]?.rate ?? 0)));
    const [importer, service] = [own.map((run) => run.importer), own.map((run) => run.service ?? Number.NaN)];
    const cells = [
      name.padEnd(18),
      Math.round(median(own.map(({ rate }) => rate)))
        .toLocaleString('en')
        .padStart(8),
      ratio.toFixed(2).padStart(7),
      (goal === undefined ? '' : `≥ ${goal}`).padStart(7),
      `${median(importer).toFixed(0).padStart(6)} MB`,
      Number.isNaN(service[0]) ? '' : `${median(service).toFixed(0).padStart(6)} MB`,
    ];
    print(cells.join(' ').trimEnd() + (goal !== undefined && ratio < goal ? '  missed' : ''));
    if (goal !== undefined && ratio < goal) process.exitCode = 1;
  }
  const pairs = results.get('without a journal') ?? [];
  const kept = median(
    (results.get('with the journal') ?? []).map(({ rate }, round) => rate / (pairs[round]?.rate ?? 0)),
  );
  print(`the journal costs ${((1 - kept) * 100).toFixed(0)} % (goal ≤ 10 %)`);
} finally {
  await rm(directory, { recursive: true, force: true });
}

/** @returns {Promise<Run>} */
async function bare() {
  const server = await startServer([here('bare-server.mjs')]);
  const { seconds, peak, stdout } = await runToEnd([
    here('bare-import.mjs'),
    file,
    server.baseUrl,
    String(inFlight),
  ]);
  if (Number(stdout) !== rows) throw new Error(`${stdout} rows were answered`);
  return { rate: rows / seconds, importer: peak, service: await server.end() };
}

/**
 * @param {(target: string[]) => string[]} argsFor given file, job directory and base URL
 * @returns {Promise<Run>}
 */
async function remote(argsFor) {
  runs += 1;
  const database = options.database ?? join(directory, `${runs}.db`);
  const server = await startServer([bin, 'serve', '--port', '0', '--database', database, '--json']);
  const job = join(directory, `${runs}.import`);
  const { seconds, peak, stdout } = await runToEnd(argsFor([file, job, server.baseUrl]));
  const service = await server.end();
  const { seconds: inside } = await check(stdout);
  // What builds the sources first is measured without that.
  const taken = argsFor === fromSource || argsFor === withoutJournal ? inside : seconds;
  return { rate: rows / taken, importer: peak, service };
}

/** @param {string[]} target */
function fromSource(target) {
  return [here('run-import.mjs'), ...target];
}

/** @param {string[]} target */
function withoutJournal(target) {
  return [...fromSource(target), '--no-journal'];
}

/** @param {string[]} target */
function fromBuilt([source = '', job = '', baseUrl = '']) {
  const to = ['--base-url', baseUrl];
  return [bin, 'import-hashes', source, '--job', job, '--json', '--concurrency', String(inFlight), ...to];
}

/** @returns {Promise<Run>} */
async function local() {
  runs += 1;
  const database = join(directory, `${runs}.db`);
  const paths = ['--job', join(directory, `${runs}.import`), '--local', database];
  const args = [bin, 'import-hashes', file, '--json', '--concurrency', String(inFlight), ...paths];
  const { seconds, peak, stdout } = await runToEnd(args);
  await check(stdout);
  return { rate: rows / seconds, importer: peak };
}

/**
 * All rows but the twelve that must be refused.
 * @param {string} summary
 */
async function check(summary) {
  const { created, seconds } = JSON.parse(summary);
  if (created < rows - 12) throw new Error(summary);
  await Promise.all([
    rm(join(directory, `${runs}.db`), { force: true }),
    rm(join(directory, `${runs}.import`), { recursive: true, force: true }),
  ]);
  return { seconds };
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}
