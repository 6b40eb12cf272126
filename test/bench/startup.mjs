/**
 * How long the whole program takes, against `node -e 0`: pairs of runs one after the other, medians of their ratios
 * (20, or `--runs N`). The listing asks a `serve` of its own, with the token of a profile.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { runs: { type: 'string', default: '20' } },
});
const bin = fileURLToPath(new URL('../../bin/tenant-users.js', import.meta.url));
const directory = await mkdtemp(join(tmpdir(), 'tenant-users-bench-'));
const credentials = { TENANT_USERS_CLIENT_ID: 'bench', TENANT_USERS_CLIENT_SECRET: 'bench' };
/** The caller's environment: what makes Node itself slower, such as NODE_EXTRA_CA_CERTS, is in floor and figure alike. */
const env = { ...process.env, TENANT_USERS_CONFIG: join(directory, 'config.json') };
const serve = spawn(process.execPath, [bin, 'serve', '--port', '0', '--database', ':memory:', '--json'], {
  env: { ...env, ...credentials },
  stdio: ['ignore', 'pipe', 'inherit'],
});

const cases = [
  { name: '--version', args: ['--version'], goal: 1.2 },
  { name: '--help', args: ['--help'], goal: 1.4 },
  { name: 'list --json', args: ['list', '--json'], goal: 2.2 },
  {
    name: 'list --json --local',
    args: ['list', '--json', '--local', join(directory, 'local.db')],
    goal: 3.5,
  },
];

let missed = false;
try {
  const [line] = await once(createInterface(serve.stdout), 'line');
  const login = ['login', '--base-url', JSON.parse(line).base_url, '--client-id', 'bench'];
  await promisify(execFile)(process.execPath, [bin, ...login], { env: { ...env, ...credentials } });
  const { time: floor } = await measure(['-e', '0']);
  process.stdout.write(`node -e 0 takes ${floor.toFixed(0)} ms\nwhat                    ms   ratio   goal\n`);
  for (const { name, args, goal } of cases) {
    const { time, ratio } = await measure([bin, ...args]);
    missed ||= ratio > goal;
    const cells = [name.padEnd(20), time.toFixed(0).padStart(6), ratio.toFixed(2).padStart(7), `≤ ${goal}`];
    process.stdout.write(`${cells.join(' ')} ${ratio > goal ? ' missed' : ''}\n`);
  }
} finally {
  serve.kill();
  await rm(directory, { recursive: true, force: true });
}
if (missed) process.exitCode = 1;

/** @param {string[]} args */
async function measure(args) {
  await timeOf(args);
  const pairs = [];
  for (let run = 0; run < Number(options.runs); run += 1) {
    const floor = await timeOf(['-e', '0']);
    const time = await timeOf(args);
    pairs.push({ time, ratio: time / floor });
  }
  return { time: median(pairs.map(({ time }) => time)), ratio: median(pairs.map(({ ratio }) => ratio)) };
}

/** @param {string[]} args milliseconds of a whole process */
async function timeOf(args) {
  const start = performance.now();
  await promisify(execFile)(process.execPath, args, { env });
  return performance.now() - start;
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
