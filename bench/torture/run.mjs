/**
 * Kills an import, the application of a plan (`--what plan`) or an undo (`--what undo`) with SIGKILL at random moments,
 * while the service injects faults by a script; with `--victim service` the service is killed instead, and starts again
 * on its database. The same command is repeated until it is complete. Then the tenant is compared with the file: no user
 * may be missing or exist twice, every field must be right, and the counts must add up. For plan and undo, the audit log
 * of the service must have each action once.
 *
 *     npm run torture -- [--kills 200] [--rows 20000] [--victim importer|service] [--seed N]
 *         [--keys all|external-id] [--what import|ramp|plan|undo]
 *
 * With `--keys external-id` the rows have no unique value, so that a row whose answer is lost stays unknown until the
 * next run.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { countChanges } from './count-changes.mjs';
import { faults } from './faults.mjs';
import { randomFrom } from './random-from.mjs';
import { startService } from './start.mjs';
import { importSubject, planSubject, rampSubject, undoSubject } from './subjects.mjs';

const { values: options } = parseArgs({
  args: process.argv.slice(2),
  options: {
    kills: { type: 'string', default: '200' },
    rows: { type: 'string', default: '20000' },
    victim: { type: 'string', default: 'importer' },
    keys: { type: 'string', default: 'all' },
    what: { type: 'string', default: 'import' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [kills, rows] = [Number(options.kills), Number(options.rows)];
const subjects = {
  import: () => importSubject(rows, options.keys === 'external-id'),
  plan: () => planSubject(rows),
  ramp: () => rampSubject(rows),
  undo: () => undoSubject(rows),
};
if (!Object.hasOwn(subjects, options.what)) throw new Error(`--what must be one of ${Object.keys(subjects)}`);
const subject = subjects[/** @type {keyof typeof subjects} */ (options.what)]();
const random = randomFrom(Number(options.seed));
const directory = await mkdtemp(join(tmpdir(), 'tenant-users-torture-'));
process.stdout.write(
  `seed ${options.seed}, ${rows} rows, victim: ${options.victim}, keys: ${options.keys}, what: ${options.what}\n`,
);
let killed = 0;
let whileSending = 0;
/** Kills that hit the import while it sent rows. */
let hereSending = 0;
try {
  for (let number = 1; killed < kills; number += 1) await tortureOne(join(directory, String(number)));
  process.stdout.write(`held: ${killed} kills, ${whileSending} of them while rows were sent\n`);
} finally {
  await rm(directory, { recursive: true, force: true });
}

/**
 * Kills at random moments until `done`, or until the number is reached: one of four at any moment of the run, the
 * others after it has sent rows.
 * @param {string} database
 * @param {AbortSignal} done
 * @param {() => Promise<void>} strike
 */
async function killSometimes(database, done, strike) {
  /** @param {number} time */
  const wait = (time) => sleep(time, undefined, { signal: done }).catch(() => {});
  while (killed < kills) {
    const before = countChanges(database);
    if (random() < 0.75) while (!done.aborted && countChanges(database) === before) await wait(20);
    else await wait(250);
    await wait(random() * (options.victim === 'service' ? 2500 : 600));
    if (done.aborted || killed >= kills) return;
    killed += 1;
    if (countChanges(database) > before) {
      whileSending += 1;
      hereSending += 1;
    }
    await strike();
  }
}

/** @param {string} base one run, of a file of its own into a tenant of its own */
async function tortureOne(base) {
  const file = `${base}.csv`;
  await writeFile(`${base}.faults.json`, JSON.stringify({ seed: Number(options.seed), faults }));
  const paths = {
    file,
    job: `${base}.import`,
    database: `${base}.db`,
    faults: `${base}.faults.json`,
  };
  const ready = await startService({ ...paths, faults: undefined });
  const users = await subject.prepare(paths, ready.baseUrl);
  await ready.end();
  // A plan is for one base URL.
  const { port } = new URL(ready.baseUrl);
  let service = await startService(paths, port);
  let runs = 0;
  let here = 0;
  hereSending = 0;
  for (let summary; summary === undefined; ) {
    runs += 1;
    const importer = subject.start(paths, service.baseUrl);
    const done = new AbortController();
    const killing = killSometimes(paths.database, done.signal, async () => {
      here += 1;
      if (options.victim === 'importer') importer.kill();
      else {
        await service.kill();
        service = await startService(paths, port);
      }
    });
    try {
      summary = await importer.ended;
    } finally {
      done.abort();
      await killing;
    }
  }
  await service.end();
  const calm = await startService({ ...paths, faults: undefined });
  const faulty = await subject.check(paths, calm.baseUrl, users);
  await calm.end();
  process.stdout.write(
    `${rows} rows, ${here} kills (${hereSending} while rows were sent), ${runs} runs: ${faulty.length === 0 ? 'held' : 'NOT HELD'}\n`,
  );
  if (faulty.length === 0) return;
  process.stdout.write(`${faulty.slice(0, 10).join('\n')}\n`);
  process.exitCode = 1;
  killed = kills;
}
