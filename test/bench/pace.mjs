/**
 * What the pace of an import comes to, against the built service in a process of its own: rows a second without any limit,
 * found by itself and with 32 in flight; a hidden limit that drops and rises again; 2,000 who wait for real; and the time
 * that a turn takes. `--only speed,limit,waiters,turn` leaves the others out.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadSource } from '../load-source.mjs';

/** @type {{ importInto: typeof import('./import-into.ts').importInto }} */
const { importInto } = await loadSource('../test/bench/import-into.ts');
const { createPace } = await loadSource('migration/pace/create-pace.ts');

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { only: { type: 'string', default: 'turn,speed,limit,waiters' } },
});
const bin = fileURLToPath(new URL('../../bin/tenant-users.js', import.meta.url));
const credentials = { TENANT_USERS_CLIENT_ID: 'bench', TENANT_USERS_CLIENT_SECRET: 'bench' };
const directory = await mkdtemp(join(tmpdir(), 'tenant-users-bench-'));
let files = 0;

const parts = { turn, speed, limit, waiters };
try {
  for (const [name, part] of Object.entries(parts)) if (options.only.split(',').includes(name)) await part();
} finally {
  await rm(directory, { recursive: true, force: true });
}

/** The time of a turn where nothing waits. */
async function turn() {
  const pace = createPace({ concurrency: 'auto' });
  const turns = 300_000;
  for (let round = 0; round < 2; round += 1) {
    const began = performance.now();
    for (let number = 0; number < turns; number += 1) (await pace.take()).end('answered');
    if (round === 1) print(`a turn takes ${(((performance.now() - began) * 1000) / turns).toFixed(2)} µs`);
  }
}

/** Rows a second without a limit: by itself and with 32 in flight, in turns. */
async function speed() {
  /** @type {Record<string, number[]>} */
  const speeds = { auto: [], 32: [] };
  for (let round = 0; round < 5; round += 1) {
    for (const concurrency of ['auto', 32]) {
      const { summary } = await run(10_000, { concurrency });
      if (round > 0) speeds[concurrency]?.push(summary.created / summary.seconds);
    }
  }
  const [auto, fixed] = [median(speeds.auto), median(speeds[32])];
  const share = ((auto / fixed) * 100).toFixed(1);
  print(`no limit: auto ${auto.toFixed(0)} rows/s, 32 in flight ${fixed.toFixed(0)} rows/s, ${share} %`);
}

/** A hidden limit of 200 a second, of 50 from 30 seconds on, of 200 again from 60 seconds on. */
async function limit() {
  const schedule = [
    { after_s: 30, per_second: 50 },
    { after_s: 60, per_second: 200 },
  ];
  const fault = { operation: 'importHashedUser', do: { hidden_rate_limit: { per_second: 200, schedule } } };
  const { pace } = await run(12_500, {}, [fault]);
  const phases = [
    { from: 0, to: 10, perSecond: 200 },
    { from: 10, to: 30, perSecond: 200 },
    { from: 30, to: 45, perSecond: 50 },
    { from: 45, to: 60, perSecond: 50 },
    { from: 60, to: 75, perSecond: 200 },
    { from: 75, to: 88, perSecond: 200 },
  ];
  for (const { from, to, perSecond } of phases) {
    const part = pace.filter(({ at }) => at >= from && at < to);
    let [answered, throttled, seconds] = [0, 0, 0];
    for (const sample of part) {
      answered += sample.answered;
      throttled += sample.throttled;
      seconds += sample.seconds;
    }
    const share = ((100 * throttled) / (answered + throttled)).toFixed(2);
    const held = ((100 * answered) / seconds / perSecond).toFixed(0);
    print(`limit ${perSecond}/s, ${from} to ${to} s: ${held} % of it, ${share} % throttled`);
  }
}

/** 2,000 callers at once, 50 turns a second. */
async function waiters() {
  const pace = createPace({ concurrency: 2000, rate: 50 });
  const began = performance.now();
  await Promise.all(Array.from({ length: 2000 }, () => pace.take()));
  print(`2,000 waiters at 50/s: the last after ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/**
 * @param {number} rows
 * @param {object} more
 * @param {object[]} [faults]
 */
async function run(rows, more, faults) {
  files += 1;
  const file = join(directory, `${files}.csv`);
  const hash = 'e10adc3949ba59abbe56e057f20f883e';
  const lines = Array.from({ length: rows }, (_, row) => `user${row},user${row}@example.com,md5,${hash}`);
  await writeFile(file, `user_name,email,algorithm,hash\n${lines.join('\n')}\n`);
  const args = ['serve', '--port', '0', '--database', join(directory, `${files}.db`), '--json'];
  if (faults) {
    const script = join(directory, `${files}.json`);
    await writeFile(script, JSON.stringify({ faults }));
    args.push('--faults', script);
  }
  const service = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env.PATH, HOME: directory, ...credentials },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(service, 'exit');
  const [line] = await once(createInterface(service.stdout), 'line');
  const baseUrl = JSON.parse(line).base_url;
  try {
    const jobDirectory = join(directory, `${files}.import`);
    const result = await importInto(baseUrl, { file, jobDirectory, ...more });
    if (result.summary.created !== rows) throw new Error(JSON.stringify(result.summary));
    return result;
  } finally {
    service.kill('SIGTERM');
    await ended;
  }
}

/** @param {number[] | undefined} numbers */
function median(numbers = []) {
  return numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}
