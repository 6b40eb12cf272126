/**
 * Peak memory and time of `import-hashes` with a million rows (or `--rows N`) against fifty thousand: the reading and
 * checking alone (`--dry-run`), and a whole import into a bare server that answers at once.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bin, runToEnd, startServer } from './processes.mjs';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { rows: { type: 'string', default: '1000000' } },
});
const sizes = { few: 50_000, many: Number(options.rows) };
const goals = { memory: 1.3, time: 1.1 };
const directory = await mkdtemp(join(tmpdir(), 'tenant-users-bench-'));
const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

try {
  for (const rows of Object.values(sizes)) {
    await runToEnd([
      here('../../fixtures/make-legacy-users.mjs'),
      '--rows',
      String(rows),
      '--output',
      fileOf(rows),
    ]);
  }
  print(`${sizes.many.toLocaleString('en')} rows against ${sizes.few.toLocaleString('en')}`);
  await compare('dry run', async (rows) => runToEnd([bin, ...importOf(rows), '--dry-run']));
  await compare('import', async (rows) => {
    const server = await startServer([here('bare-server.mjs')]);
    try {
      return await runToEnd([bin, ...importOf(rows), '--concurrency', '64', '--base-url', server.baseUrl]);
    } finally {
      await server.end();
    }
  });
} finally {
  await rm(directory, { recursive: true, force: true });
}

/**
 * @param {string} what
 * @param {(rows: number) => Promise<{ seconds: number, peak: number }>} run
 */
async function compare(what, run) {
  const few = await run(sizes.few);
  const many = await run(sizes.many);
  const memory = many.peak / few.peak;
  const time = many.seconds / sizes.many / (few.seconds / sizes.few);
  print(
    `  ${what.padEnd(8)} peak ${few.peak.toFixed(0)} MB, ${many.peak.toFixed(0)} MB: ${told(memory, goals.memory)}`,
  );
  const each = [few.seconds / sizes.few, many.seconds / sizes.many].map((s) => `${(s * 1e6).toFixed(0)} µs`);
  print(`  ${''.padEnd(8)} a row ${each.join(', ')}: ${told(time, goals.time)}`);
}

/** @param {number} ratio @param {number} goal */
function told(ratio, goal) {
  if (ratio > goal) process.exitCode = 1;
  return `${ratio.toFixed(2)} × (goal ≤ ${goal})${ratio > goal ? '  missed' : ''}`;
}

/** @param {number} rows */
function importOf(rows) {
  return ['import-hashes', fileOf(rows), '--job', join(directory, `${rows}.import`), '--json', '--restart'];
}

/** @param {number} rows */
function fileOf(rows) {
  return join(directory, `${rows}.csv`);
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}
