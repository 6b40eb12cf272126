/**
 * Kills a serving process 20 times (or `--times N`) in the middle of a write load, on SQLite and on a PostgreSQL of its
 * own, and looks for users that were acknowledged and are gone, or are there twice. Exits 1 when there are any.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killAndCheck } from '../kill-and-check.mjs';
import { postgresBinaries } from '../postgres-binaries.mjs';
import { startPostgres } from '../postgres-server.mjs';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { times: { type: 'string', default: '20' } },
});
const times = Number(options.times);

const directory = await mkdtemp(join(tmpdir(), 'tenant-users-durability-'));
try {
  await prove('SQLite', join(directory, 'users.db'));
} finally {
  await rm(directory, { recursive: true, force: true });
}
const binaries = postgresBinaries();
if (binaries) {
  const server = await startPostgres(binaries, { durable: true });
  await prove('PostgreSQL', server.urlOf('postgres')).finally(server.stop);
} else print('PostgreSQL: skipped, no initdb and postgres were found');

/**
 * @param {string} title
 * @param {string} database
 */
async function prove(title, database) {
  const { lost, twice, ...counts } = await killAndCheck(database, times);
  const { listed, total, filtered } = counts;
  const held = lost.length === 0 && twice.length === 0 && listed === total && listed === filtered;
  print(`${title}, killed ${times} times: ${held ? 'held' : 'NOT HELD'}`);
  print(
    `  ${counts.acknowledged} users acknowledged, ${listed} listed, total ${total}, by a filter ${filtered}`,
  );
  print(`  ${lost.length} lost, ${twice.length} twice`);
  if (!held) process.exitCode = 1;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}
