import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { loadSource } from '../test/load-source.mjs';
import { filledUser, fillUsers } from './fill-users.mjs';
import { bin, runToEnd, startService } from './processes.mjs';
import { figure } from './rows.mjs';

/** @import { Options } from './options.mjs' */

const none = { atMost: 0 };
const hash = 'e10adc3949ba59abbe56e057f20f883e';

/**
 * Rows that match the users of a tenant in every way, one user for each row, with the verdict that a comparison must
 * give, and its fields.
 * @type {readonly ((n: number, user: ReturnType<typeof filledUser>) => { cells: (string | number)[], verdict: string,
 * fields?: string })[]}
 */
const kinds = [
  (n) => ({ cells: [`new-${n}`, `new-${n}@example.com`, '', `x-${n}`, `New ${n}`, ''], verdict: 'missing' }),
  (n, user) => ({ cells: [...keysOf(user), `User ${n}`, 'IT'], verdict: 'same' }),
  (n, { user_name, email }) => ({
    cells: [user_name.toUpperCase(), email.toUpperCase(), '', '', `User ${n}`, ''],
    verdict: 'same',
  }),
  (_, { mobile }) => ({ cells: ['', '', mobile.slice('+86-'.length), '', '', ''], verdict: 'same' }),
  (n, user) => ({ cells: [...keysOf(user), `Other ${n}`, ''], verdict: 'differs', fields: 'name' }),
  (n, { user_name }) => ({
    cells: [user_name, `other-${n}@example.com`, '', '', '', ''],
    verdict: 'differs',
    fields: 'email',
  }),
  (n, { user_name }) => ({
    cells: [user_name, '', `+86-${15_000_000_000 + n}`, '', '', ''],
    verdict: 'differs',
    fields: 'mobile',
  }),
  (n, { email }) => ({
    cells: ['', email, '', `other-${n}`, '', ''],
    verdict: 'differs',
    fields: 'external_id',
  }),
  // The user of the row four rows later is in no other row.
  (n, { user_name }) => ({
    cells: [user_name, filledUser(n + 4).email, '', '', '', ''],
    verdict: 'ambiguous',
  }),
  (n) => ({ cells: ['', '', '', `only-${n}`, `Only ${n}`, ''], verdict: 'missing' }),
  (n, user) => ({ cells: [...keysOf(user), `User ${n}`, 'Law'], verdict: 'differs', fields: 'industry' }),
  // Nobody has this user name: whoever has it as an e-mail address may be somebody else.
  (_, { email }) => ({ cells: [email, '', '', '', '', ''], verdict: 'ambiguous' }),
];

/** Every 17th user is disabled. */
const isDisabled = (/** @type {number} */ n) => n % 17 === 0;

/**
 * Compares what `plan` and `import-hashes --dry-run --live` decide for each row with the outcome of an import, and what
 * `compare` finds with the planted differences. Counts the wrong rows, of which there must be none. `--only compare`
 * leaves plan and imports out.
 * @param {Options} options
 */
export async function* measure({ databases, directory, rows: given = 100_000, only, say }) {
  // Complete rounds of the kinds, so that the last row that refers to a later user finds that user.
  const rows = Math.ceil(given / kinds.length) * kinds.length;
  const location = await databases.fresh();
  say(`decisions: makes ${rows.toLocaleString('en')} users`);
  await fillUsers(location, rows + kinds.length);
  const { openDatabase } = await loadSource('service/storage/open-database.ts');
  const database = await openDatabase(location);
  await database.commit([{ sql: 'UPDATE users SET disabled = 1 WHERE seq % 17 = 0', values: [] }]);
  await database.close();
  const file = join(directory, 'decisions.csv');
  await writeRows(file, rows);
  const server = await startService(location);
  const to = (/** @type {string} */ name) => join(directory, name);
  const run = (/** @type {string[]} */ ...args) => {
    say(`decisions: ${args.join(' ')}`);
    const [command = '', ...more] = args;
    return runToEnd([bin, command, file, '-q', '--yes', '--base-url', server.baseUrl, ...more]);
  };
  const of = `of ${rows.toLocaleString('en')}`;
  const { seconds, peak } = await run('compare', '--to', to('lists'));
  const compared = await comparedRows(to('lists'), rows);
  yield figure(`planted differences that compare misses, ${of}`, 'rows', [compared.missed], none);
  yield figure(`differences that compare invents, ${of}`, 'rows and users', [compared.invented], none);
  yield figure(`compare, ${of}`, 's', [seconds]);
  yield figure(`memory of compare, ${of}`, 'MB', [peak]);
  if (!only?.includes('compare')) {
    await run('plan', '--to', to('plan'));
    await run('import-hashes', '--dry-run', '--live', '--job', to('check'));
    await run('import-hashes', '--job', to('job'), '--max-failures', '100%');
    const outcomes = await resultsOf(to('job'));
    const [planned, foreseen] = [await actionsOf(to('plan')), await resultsOf(to('check'))];
    const wrong = { plan: 0, check: 0 };
    for (let row = 1; row <= rows; row += 1) {
      const is = outcomes.get(row) ?? 'none';
      if (planned.get(row) !== is) wrong.plan += 1;
      if ((foreseen.get(row) ?? 'created') !== is) wrong.check += 1;
    }
    yield figure(`actions of a plan that an import ends otherwise, ${of}`, 'rows', [wrong.plan], none);
    yield figure(
      `results of a live dry run that an import ends otherwise, ${of}`,
      'rows',
      [wrong.check],
      none,
    );
  }
  await server.end();
  await databases.drop(location);
}

/** @param {ReturnType<typeof filledUser>} user */
function keysOf({ user_name, email, mobile, external_id }) {
  return [user_name, email, mobile, external_id];
}

/** @param {number} n */
function rowOf(n) {
  const kind = kinds[n % kinds.length];
  if (!kind) throw new RangeError(`no kind of row for ${n}`);
  const { cells, verdict, fields = '' } = kind(n, filledUser(n));
  const isDifferent = isDisabled(n) && (verdict === 'same' || verdict === 'differs');
  if (!isDifferent) return { cells, verdict, fields };
  return { cells, verdict: 'differs', fields: [fields, 'disabled'].filter(Boolean).join(' ') };
}

/**
 * @param {string} file
 * @param {number} rows
 */
async function writeRows(file, rows) {
  const output = createWriteStream(file);
  output.write('user_name,email,mobile,external_id,name,industry,algorithm,hash\n');
  for (let n = 1; n <= rows; n += 1) {
    const { cells } = rowOf(n);
    if (!output.write(`${cells.join(',')},md5,${hash}\n`)) {
      await once(output, 'drain');
    }
  }
  await finished(output.end());
}

/**
 * The lines of a CSV file as objects.
 * @param {string} path
 * @returns {AsyncIterable<Record<string, string>>}
 */
function linesOf(path) {
  return createReadStream(path).pipe(parse({ columns: true }));
}

/**
 * The outcome of each row that is in one of the lists.
 * @param {string} job
 */
async function resultsOf(job) {
  /** @type {Map<number, string>} */
  const found = new Map();
  for await (const { row, result } of linesOf(join(job, 'users.csv'))) found.set(Number(row), result ?? '');
  for await (const { row, code = '', message = '' } of linesOf(join(job, 'failures.csv'))) {
    const other = code.startsWith('SVC.') ? 'failed' : 'invalid';
    found.set(Number(row), message.includes('held: ') ? 'conflict' : other);
  }
  return found;
}

/** The outcome of an import for each action. */
const ends = new Map([
  ['create', 'created'],
  ['same', 'existing'],
  ['conflict', 'conflict'],
  ['cannot', 'conflict'],
  ['invalid', 'invalid'],
]);

/** @param {string} plan */
async function actionsOf(plan) {
  /** @type {Map<number, string | undefined>} */
  const found = new Map();
  for await (const line of createInterface({ input: createReadStream(join(plan, 'actions.jsonl')) })) {
    const { row, action } = JSON.parse(line);
    found.set(row, ends.get(action));
  }
  return found;
}

/** @param {string} names separated by spaces */
function sorted(names) {
  return names.split(' ').sort().join(' ');
}

/**
 * @param {string} lists
 * @param {number} rows
 */
async function comparedRows(lists, rows) {
  let [told, right, invented] = [0, 0, 0];
  for (const verdict of ['same', 'differs', 'missing', 'ambiguous', 'invalid']) {
    for await (const { row, fields = '' } of linesOf(join(lists, `${verdict}.csv`))) {
      const wanted = rowOf(Number(row));
      const isRight = wanted.verdict === verdict && sorted(wanted.fields) === sorted(fields);
      told += 1;
      if (isRight) right += 1;
      else if (verdict !== 'same') invented += 1;
    }
  }
  // Rows of this kind name no user of the tenant. The users of new rows are named by the ambiguous rows four rows
  // before them.
  const isExtra = (/** @type {number} */ n) => n > rows || n % kinds.length === 9;
  const summary = JSON.parse(await readFile(join(lists, 'summary.json'), 'utf8'));
  let extra = 0;
  for await (const { user_name } of linesOf(join(lists, 'extra.csv'))) {
    const n = Number(user_name?.slice('user-'.length));
    if (isExtra(n)) extra += 1;
    else invented += 1;
  }
  let extraWanted = 0;
  for (let n = 1; n <= summary.users; n += 1) if (isExtra(n)) extraWanted += 1;
  return { missed: rows - right + (extraWanted - extra), invented: invented + (told - rows) };
}
