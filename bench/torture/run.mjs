/**
 * Kills an import, one of a corrected file (`--what corrected`), the application of a plan (`--what plan`) or an undo
 * (`--what undo`) with SIGKILL at random moments, while the service injects faults by a script; with `--victim service`
 * the service is killed instead, and starts again on its database. The same command is repeated until it is complete.
 * Then the tenant is compared with the file: no user may be missing or exist twice, every field must be right, and the
 * counts must add up. For plan and undo, the audit log of the service must have each action once.
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
import { correctedSubject, importSubject, planSubject, rampSubject, undoSubject } from './subjects.mjs';

const usage = `npm run torture -- [options]
  --kills N          kills in all (default: 200)
  --rows N           rows of each file (default: 20000)
  --victim NAME      whom to kill: importer or service (default: importer)
  --keys NAME        unique values of the rows: all or external-id (default: all)
  --what NAME        import, corrected, plan, ramp or undo (default: import)
  --seed N           of the random moments and faults (default: another one each time)
`;
const options = readOptions();
const [kills, rows] = [Number(options.kills), Number(options.rows)];
const subject = {
  import: () => importSubject(rows, options.keys === 'external-id'),
  corrected: () => correctedSubject(rows, options.keys === 'external-id'),
  plan: () => planSubject(rows),
  ramp: () => rampSubject(rows),
  undo: () => undoSubject(rows),
}[options.what]();
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

/** Reads the command line. Prints how it is written and ends the process after `--help`, and after a fault. */
function readOptions() {
  /** @template {string} Name @param {string} option @param {string} value @param {Name[]} names @returns {Name} */
  const oneOf = (option, value, ...names) => {
    const found = names.find((name) => name === value);
    if (!found) throw new Error(`--${option} must be one of ${names.join(', ')}`);
    return found;
  };
  try {
    const text = /** @type {const} */ ({ type: 'string' });
    const known = { kills: text, rows: text, victim: text, keys: text, what: text, seed: text };
    const { values } = parseArgs({ options: { ...known, help: { type: 'boolean', short: 'h' } } });
    const { help, kills = '200', rows = '20000', seed = String(Date.now() % 1_000_000) } = values;
    const { victim = 'importer', keys = 'all', what = 'import' } = values;
    if (help) {
      process.stdout.write(usage);
      process.exit();
    }
    for (const [name, number] of Object.entries({ kills, rows, seed }))
      if (!/^\d{1,9}$/.test(number)) throw new Error(`--${name} must be a whole number`);
    return {
      kills,
      rows,
      seed,
      victim: oneOf('victim', victim, 'importer', 'service'),
      keys: oneOf('keys', keys, 'all', 'external-id'),
      what: oneOf('what', what, 'import', 'corrected', 'plan', 'ramp', 'undo'),
    };
  } catch (fault) {
    process.stderr.write(`${fault instanceof Error ? fault.message : fault}\n\n${usage}`);
    process.exit(2);
  }
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
