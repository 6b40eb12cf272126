import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSource } from '../test/load-source.mjs';
import { UsageError } from './options.mjs';
import { startService } from './processes.mjs';
import { comparison, figure } from './rows.mjs';

/** @import { Options } from './options.mjs' */

/** @type {Record<string, (options: Options) => AsyncGenerator<import('./rows.mjs').Row>>} */
const parts = { permit, speed, limits, changes, waiters };

/**
 * The rate limiter of an import: the time that a permit takes; rows a second without any limit, found by itself and
 * with 512 in flight; several hidden limits; one that falls and rises again; and 2,000 callers who wait in real time.
 * `--only` selects one part.
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

const loadLimiter = () => loadSource('migration/rate-limit/limiter.ts');

/** @type {Promise<{ importInto: typeof import('./import-into.ts').importInto }> | undefined} */
let importing;

/**
 * The time that a permit takes if nothing waits.
 * @param {Options} options
 */
async function* permit({ rounds }) {
  const { createRateLimiter } = await loadLimiter();
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
 * Rows a second without a limit: found by itself and with 512 in flight, in turns; for the whole run, and from the
 * third second on.
 * @param {Options} options
 */
async function* speed(options) {
  const { rows = 40_000, rounds } = options;
  /** @type {Record<'found' | 'fixed', { whole: number[], later: number[] }>} */
  const speeds = { found: { whole: [], later: [] }, fixed: { whole: [], later: [] } };
  for (let round = 0; round <= rounds; round += 1) {
    options.say(`rate-limit: round ${round} of ${rounds}`);
    for (const [concurrency, { whole, later }] of /** @type {const} */ ([
      ['auto', speeds.found],
      [512, speeds.fixed],
    ])) {
      const { summary, history } = await run(options, rows, { concurrency });
      // The first round warms up the compiler of this process.
      if (round === 0) continue;
      whole.push(summary.created / summary.seconds);
      const { answered } = countFrom(history, 3, summary.seconds);
      if (summary.seconds > 4) later.push(answered / (summary.seconds - 3));
    }
  }
  const { found, fixed } = speeds;
  const of = 'concurrency found without a limit, against 512 in flight';
  yield comparison(of, 'rows/s', found.whole, fixed.whole);
  if (found.later.length > 0 && fixed.later.length > 0) {
    yield comparison(`${of}, after 3 s`, 'rows/s', found.later, fixed.later);
  }
}

const hiddenLimits = [20, 65, 95, 100, 150, 300, 1200];

/**
 * Each hidden limit for 70 seconds, with a burst of one second and `Retry-After`.
 * @param {Options} options
 */
async function* limits(options) {
  for (const perSecond of hiddenLimits) {
    options.say(`rate-limit: a hidden limit of ${perSecond} a second, for 70 seconds`);
    const limit = { per_second: perSecond, retry_after: true };
    const { history } = await run(options, 70 * perSecond, {}, [limited(limit)]);
    const { answered, throttled } = countFrom(history, 10, 68);
    const whole = countFrom(history, 0, 68);
    yield comparison(
      `answered, 10 to 68 s, against a hidden limit of ${perSecond}/s`,
      'calls/s',
      [answered / 58],
      [perSecond],
      { atLeast: 0.98 },
    );
    yield figure(
      `throttled at ${perSecond}/s, 10 to 68 s`,
      '%',
      [(100 * throttled) / (answered + throttled)],
      {
        atMost: 1,
      },
    );
    yield figure(`throttled at ${perSecond}/s, from the start`, '%', [
      (100 * whole.throttled) / (whole.answered + whole.throttled),
    ]);
  }
}

/**
 * A hidden limit of 200 a second, of 50 from 30 seconds on, of 200 again from 60 seconds on.
 * @param {Options} options
 */
async function* changes(options) {
  options.say('rate-limit: a hidden limit that changes, for a minute and a half');
  const schedule = [
    { after_s: 30, per_second: 50 },
    { after_s: 60, per_second: 200 },
  ];
  const { history } = await run(options, 12_500, {}, [limited({ per_second: 200, schedule })]);
  for (const { from, to, perSecond } of [
    { from: 10, to: 30, perSecond: 200 },
    { from: 30, to: 60, perSecond: 50 },
    { from: 60, to: 88, perSecond: 200 },
  ]) {
    const { answered, throttled } = countFrom(history, from, to);
    const when = `${from} to ${to} s`;
    yield comparison(
      `answered, ${when}, against the hidden limit`,
      'calls/s',
      [answered / (to - from)],
      [perSecond],
    );
    yield figure(`throttled, ${when}`, '%', [(100 * throttled) / (answered + throttled)]);
    if (from < 30) continue;
    const followed = history.find(({ at }) => at >= from && isFollowed(history, at, perSecond));
    yield figure(`time to follow to ${perSecond}/s`, 's', [followed ? followed.at - from : to - from]);
  }
}

/** @param {object} limit */
function limited(limit) {
  return { operation: 'importHashedUser', do: { hidden_rate_limit: limit } };
}

/**
 * Whether in the next three seconds as many calls are answered as the limit allows, and few are throttled.
 * @param {History} history
 * @param {number} at
 * @param {number} perSecond
 */
function isFollowed(history, at, perSecond) {
  const { answered, throttled } = countFrom(history, at, at + 3);
  const share = answered / 3 / perSecond;
  return share > 0.93 && share < 1.1 && throttled < 0.03 * answered;
}

/** @typedef {Awaited<ReturnType<typeof run>>['history']} History */

/**
 * Calls between two seconds of a run.
 * @param {History} history
 * @param {number} from
 * @param {number} to
 */
function countFrom(history, from, to) {
  const samples = history.filter(({ at }) => at >= from && at < to);
  const sum = (/** @type {'answered' | 'throttled'} */ what) =>
    samples.reduce((total, sample) => total + sample[what], 0);
  return { answered: sum('answered'), throttled: sum('throttled') };
}

/**
 * 2,000 callers at the same time, with 50 permits a second.
 * @param {Options} options
 */
async function* waiters({ say }) {
  const { createRateLimiter } = await loadLimiter();
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
  importing ??= loadSource('../bench/import-into.ts');
  const { importInto } = await importing;
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
