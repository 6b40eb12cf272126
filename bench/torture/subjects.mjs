import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareTenant } from './compare-tenant.mjs';
import { writeSource } from './source.mjs';
import { runToEnd, startProgram } from './start.mjs';

/** @import { Paths } from './start.mjs' */
/** @typedef {Map<string, Record<string, any>>} Users by their keys */

/**
 * A command that is killed and repeated until it is complete, and a check of the tenant afterwards.
 * @typedef {{
 *   prepare(paths: Paths, baseUrl: string): Promise<Users>,
 *   start(paths: Paths, baseUrl: string): ReturnType<typeof startProgram>,
 *   check(paths: Paths, baseUrl: string, users: Users): Promise<string[]>,
 * }} Subject
 */

/**
 * An import of a file.
 * @param {number} rows
 * @param {boolean} isByExternalId
 * @returns {Subject}
 */
export function importSubject(rows, isByExternalId) {
  return {
    prepare: ({ file }) => writeSource(file, rows, isByExternalId),
    start: ({ file, job }, baseUrl) =>
      startProgram(['import-hashes', file, '--job', job, '--json', '--yes'], job, baseUrl),
    check: (_, baseUrl, users) => compareTenant(baseUrl, users, isByExternalId ? 'external_id' : 'user_name'),
  };
}

/**
 * An import of a corrected file: half of its rows were imported from the file before, which had them in another order.
 * @param {number} rows
 * @param {boolean} isByExternalId
 * @returns {Subject}
 */
export function correctedSubject(rows, isByExternalId) {
  const whole = importSubject(rows, isByExternalId);
  return {
    ...whole,
    async prepare({ file, job }, baseUrl) {
      const users = await writeSource(file, rows, isByExternalId);
      const corrected = await readFile(file, 'utf8');
      const [header, ...lines] = corrected.trimEnd().split('\n');
      const half = lines.filter((_, at) => at % 2 === 0).reverse();
      await writeFile(file, `${[header, ...half].join('\n')}\n`);
      await runToEnd(['import-hashes', file, '--job', job, '--yes', '-q'], baseUrl);
      await writeFile(file, corrected);
      return users;
    },
    start: ({ file, job }, baseUrl) => {
      const args = ['import-hashes', file, '--job', job, '--only', 'failed', '--json', '--yes'];
      return startProgram(args, job, baseUrl);
    },
  };
}

/**
 * An import in stages, whose canaries are at the end of the file, and must have logged in.
 * @param {number} rows
 * @returns {Subject}
 */
export function rampSubject(rows) {
  const whole = importSubject(rows, false);
  const known = (/** @type {string} */ file) => `${file}.known.csv`;
  return {
    async prepare(paths, baseUrl) {
      const canaries = Array.from({ length: 20 }, (_, at) => rows - 7 * at);
      await writeFile(known(paths.file), canaries.map((row) => `user${row},secret ${row}\n`).join(''));
      return whole.prepare(paths, baseUrl);
    },
    start: ({ file, job }, baseUrl) => {
      const stages = ['--canary', known(file), '--ramp', 'canaries,30,10%,50%'];
      return startProgram(['import-hashes', file, '--job', job, '--json', '--yes', ...stages], job, baseUrl);
    },
    async check(paths, baseUrl, users) {
      const { ramp } = JSON.parse(await readFile(join(paths.job, 'summary.json'), 'utf8'));
      const faults = await whole.check(paths, baseUrl, users);
      if (ramp?.logins !== 'accepted') faults.push('the canaries were not logged in');
      return faults;
    },
  };
}

/**
 * The application of a plan: a third of the rows creates users, a third updates existing ones, and the same number of
 * existing users without a row is disabled.
 * @param {number} rows
 * @returns {Subject}
 */
export function planSubject(rows) {
  const part = Math.floor(rows / 3);
  return {
    async prepare({ file, job }, baseUrl) {
      const users = await writeSource(file, rows, false);
      const [header = '', ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
      // The existing users. The first third has an older name; the last third has no row in the file of the plan.
      const there = lines.map((line, at) => (at < part ? line.replace(', the Second', '') : line));
      const before = `${file}.before.csv`;
      await writeFile(before, `${[header, ...there.slice(0, part), ...there.slice(-part)].join('\n')}\n`);
      await writeFile(file, `${[header, ...lines.slice(0, -part)].join('\n')}\n`);
      await runToEnd(['import-hashes', before, '--job', `${job}.before`, '--yes', '-q'], baseUrl);
      const asked = ['--key', 'user_name', '--update', '--disable-missing', '--at-most', 'disable=100%'];
      await runToEnd(['plan', file, '--to', job, '-q', ...asked], baseUrl);
      const names = [...users.keys()];
      return new Map(
        names.map((name, at) => [name, { ...users.get(name), disabled: at >= names.length - part }]),
      );
    },
    start: ({ job }, baseUrl) => startProgram(['apply', job, '--json', '--yes'], job, baseUrl),
    async check({ database }, baseUrl, users) {
      const faults = await compareTenant(baseUrl, users, 'user_name');
      return [...faults, ...(await repeatedActions(`${database}.audit.jsonl`))];
    },
  };
}

/**
 * The undo of an import: a third of the users existed before, a third are those that the import created, and a third
 * are in no row of its file. Exactly the users that the import created are disabled.
 * @param {number} rows
 * @returns {Subject}
 */
export function undoSubject(rows) {
  const part = Math.floor(rows / 3);
  return {
    async prepare({ file, job }, baseUrl) {
      const users = await writeSource(file, rows, false);
      const [header = '', ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
      const before = `${file}.before.csv`;
      await writeFile(before, `${[header, ...lines.slice(0, part), ...lines.slice(2 * part)].join('\n')}\n`);
      await writeFile(file, `${[header, ...lines.slice(0, 2 * part)].join('\n')}\n`);
      await runToEnd(['import-hashes', before, '--job', `${job}.before`, '--yes', '-q'], baseUrl);
      await runToEnd(['import-hashes', file, '--job', `${job}.undone`, '--yes', '-q'], baseUrl);
      const names = [...users.keys()];
      return new Map(
        names.map((name, at) => [name, { ...users.get(name), disabled: at >= part && at < 2 * part }]),
      );
    },
    start: ({ job }, baseUrl) =>
      startProgram(['undo', `${job}.undone`, '--to', job, '--json', '--yes'], job, baseUrl),
    async check({ database }, baseUrl, users) {
      const faults = await compareTenant(baseUrl, users, 'user_name');
      return [...faults, ...(await repeatedActions(`${database}.audit.jsonl`))];
    },
  };
}

/**
 * Changes that were made to a user more than once, by the audit log of the service.
 * @param {string} file its audit log
 */
async function repeatedActions(file) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const line of (await readFile(file, 'utf8')).trimEnd().split('\n')) {
    const { event, outcome, tenant, user_id: user } = JSON.parse(line);
    // A line without a tenant is a request that a fault ended before its token was read.
    if (outcome !== 'done' || tenant === undefined || user === undefined) continue;
    counts.set(`${event} ${user}`, (counts.get(`${event} ${user}`) ?? 0) + 1);
  }
  if (counts.size === 0) return ['the audit log has no changes'];
  return [...counts].filter(([, count]) => count > 1).map(([what, count]) => `${what}: ${count} times`);
}
