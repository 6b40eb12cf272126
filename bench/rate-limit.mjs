import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSource } from '../test/load-source.mjs';
import { UsageError } from './options.mjs';
import { startService } from './processes.mjs';
import { comparison, figure } from './rows.mjs';

/** @import { Options } from './options.mjs' */

/** @type {{ importInto: typeof import('./import-into.ts').importInto }} */
const { importInto } = await loadSource('../bench/import-into.ts');
const { createRateLimiter } = await loadSource('migration/rate-limit/limiter.ts');

/** @type {Record<string, (options: Options) => AsyncGenerator<import('./rows.mjs').Row>>} */
const parts = { permit, speed, limit, waiters };

/**
 * What the rate limiter of an import does: the time that a permit takes; rows a second without any limit, found by itself and
 * with 32 in flight; a hidden limit that drops and rises again; and 2,000 who wait for real. `--only` leaves others out.
 * @param {Options} options
 */
export async function* measure(options) {
  const { only = Object.keys(parts) } = options;
  const unknown = only.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0) {
    throw new UsageError(`--only knows ${Object.keys(parts).join(', ')}, not "${unknown.join(', ')}"`);
  }
  for (const [name, part] of Object.entries(parts)) if (only.includes(name)) yield* part(options);
}

/**
 * The time that a permit takes where nothing waits.
 * @param {Options} options
 */
async function* permit({ rounds }) {
  const limiter = createRateLimiter({ concurrency: 'auto' });
  const permits = 300_000;
  const times = [];
  for (let round = 0; round <= rounds; round += 1) {
    const began = performance.now();
    for (let number = 0; number < permits; number += 1) (await limiter.acquire()).end('answered');
    if (round > 0) times.push(((performance.now() - began) * 1000) / permits);
  }
  yield figure('a permit where nothing waits', 'µs', times);
}

/**
 * Rows a second without a limit: by itself and with 32 in flight, one after the other.
 * @param {Options} options
 */
async function* speed(options) {
  const { rows = 10_000, rounds } = options;
  /** @type {[number[], number[]]} */
  const [found, fixed] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    options.say(`rate-limit: round ${round} of ${rounds}`);
    for (const [concurrency, speeds] of /** @type {const} */ ([
      ['auto', found],
      [32, fixed],
    ])) {
      const { summary } = await run(options, rows, { concurrency });
      speeds.push(summary.created / summary.seconds);
    }
  }
  yield comparison('concurrency found without a limit, against 32 in flight', 'rows/s', found, fixed);
}

/**
 * A hidden limit of 200 a second, of 50 from 30 seconds on, of 200 again from 60 seconds on.
 * @param {Options} options
 */
async function* limit(options) {
  options.say('rate-limit: a hidden limit, for a minute and a half');
  const schedule = [
    { after_s: 30, per_second: 50 },
    { after_s: 60, per_second: 200 },
  ];
  const fault = { operation: 'importHashedUser', do: { hidden_rate_limit: { per_second: 200, schedule } } };
  const { history } = await run(options, 12_500, {}, [fault]);
  const phases = [
    { from: 0, to: 10, perSecond: 200 },
    { from: 10, to: 30, perSecond: 200 },
    { from: 30, to: 45, perSecond: 50 },
    { from: 45, to: 60, perSecond: 50 },
    { from: 60, to: 75, perSecond: 200 },
    { from: 75, to: 88, perSecond: 200 },
  ];
  for (const { from, to, perSecond } of phases) {
    let [answered, throttled, seconds] = [0, 0, 0];
    for (const sample of history.filter(({ at }) => at >= from && at < to)) {
      answered += sample.answered;
      throttled += sample.throttled;
      seconds += sample.seconds;
    }
    const when = `${from} to ${to} s`;
    yield comparison(
      `answered, ${when}, against the hidden limit`,
      'calls/s',
      [answered / seconds],
      [perSecond],
    );
    yield figure(`throttled, ${when}`, '%', [(100 * throttled) / (answered + throttled)]);
  }
}

/**
 * 2,000 callers at once, 50 permits a second.
 * @param {Options} options
 */
async function* waiters({ say }) {
  say('rate-limit: 2,000 wait for 50 permits a second');
  const limiter = createRateLimiter({ concurrency: 2000, rate: 50 });
  const began = performance.now();
  await Promise.all(Array.from({ length: 2000 }, () => limiter.acquire()));
  yield figure('last of 2,000 waiters at 50/s', 's', [(performance.now() - began) / 1000]);
}

/**
 * @param {Options} options
 * @param {number} rows
 * @param {object} more
 * @param {object[]} faults
 */
async function run({ databases, directory }, rows, more, faults = []) {
  const file = join(directory, 'rate-limit.csv');
  const hash = 'e10adc3949ba59abbe56e057f20f883e';
  const lines = Array.from({ length: rows }, (_, row) => `user${row},user${row}@example.com,md5,${hash}`);
  await writeFile(file, `user_name,email,algorithm,hash\n${lines.join('\n')}\n`);
  const script = join(directory, 'rate-limit.json');
  await writeFile(script, JSON.stringify({ faults }));
  const location = await databases.fresh();
  const server = await startService(location, ...(faults.length > 0 ? ['--faults', script] : []));
  const jobDirectory = join(directory, 'rate-limit.import');
  try {
    const result = await importInto(server.baseUrl, { file, jobDirectory, ...more });
    if (result.summary.created !== rows) throw new Error(JSON.stringify(result.summary));
    return result;
  } finally {
    await server.end();
    await databases.drop(location);
    await rm(jobDirectory, { recursive: true, force: true });
  }
}
