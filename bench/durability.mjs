import { killAndCheck } from '../test/kill-and-check.mjs';
import { ownPostgres } from './databases.mjs';
import { figure } from './rows.mjs';

/** @import { Options } from './options.mjs' */

const none = { atMost: 0 };

/**
 * Kills a `serve` process 20 times (`--times`) during a load of writes, and looks for users that were acknowledged and
 * are missing, or exist twice. Uses the requested databases; by default SQLite and a PostgreSQL of its own.
 * @param {Options} options
 */
export async function* measure(options) {
  yield* prove(options);
  if (options.databases.isPostgres) return;
  const databases = await ownPostgres();
  if (!databases) {
    options.say('durability: no PostgreSQL, since no initdb and postgres were found');
    return;
  }
  try {
    yield* prove({ ...options, databases });
  } finally {
    await databases.close();
  }
}

/** @param {Options} options */
async function* prove({ databases, times, say }) {
  const location = await databases.fresh();
  const found = await killAndCheck(location, times, (round, acknowledged) =>
    say(`durability: kill ${round} of ${times}, ${acknowledged} users acknowledged`),
  );
  await databases.drop(location);
  const { acknowledged, lost, twice, listed, total, filtered } = found;
  const after = `after ${times} kills, ${databases.kind}`;
  yield figure(`acknowledged ${after}`, 'users', [acknowledged]);
  yield figure(`lost ${after}`, 'users', [lost.length], none);
  yield figure(`twice ${after}`, 'users', [twice.length], none);
  const missed = Math.max(...[total, filtered].map((count) => Math.abs(listed - count)));
  yield figure(`total beside the listing ${after}`, 'users', [missed], none);
}
