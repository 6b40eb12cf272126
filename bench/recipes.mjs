import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { forgetJob, importOf } from './import-runs.mjs';
import { runToEnd } from './processes.mjs';
import { comparison } from './rows.mjs';

/** @import { ImportOptions, Options } from './options.mjs' */

/** A recipe with ten kinds of steps. */
const recipe = `
fields:
  user_name: { column: login, trim: true, lower: true }
  name: { template: "{first} {last}" }
  email: { column: mail, replace: [{ match: "^mailto:", with: "" }] }
  mobile: { column: tel, phone: { region: CN } }
  attr_gender: { column: sex, values: { M: male, F: female }, default: unknow }
  attr_birthday: { column: born, date: [dd.MM.yyyy, iso] }
  external_id: { column: uid, text: true }
  industry: { column: path, split: { by: "/", take: -1 } }
  pwd_must_modify: { value: false }
password: { column: pwd, strip: ["{CRYPT}"], algorithm: { column: enc, values: { BLOWFISH: bcrypt, MD5: md5 } } }
empty: ["NULL"]
`;
/** A bcrypt hash with a salt of its own. @param {number} row */
const bcryptOf = (row) => `$2b$10$${String(row).padStart(21, '0')}eIjZAgcfl7p92ldGxad68LJZdL17lhWy`;

/** The same user with the importer's own columns, and as the older system writes it. @param {number} row */
function userOf(row) {
  const isEven = row % 2 === 0;
  const digits = `138${String(row).padStart(8, '0')}`;
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  const [day, month, year] = [two(1 + (row % 28)), two(1 + (row % 12)), String(1950 + (row % 50))];
  const hash = isEven ? bcryptOf(row) : createHash('md5').update(String(row)).digest('hex');
  const [name, id] = [`Ann Lee${row}`, String(100_000_000 + row)];
  const email = `u${row}@example.com`;
  const gender = ['male', 'female', 'unknow'][row % 3];
  return {
    plain: [
      ...[`u${row}`, name, email, `+86-${digits}`, gender, `${year}-${month}-${day}`, id, 'Sales', 'false'],
      ...[isEven ? 'bcrypt' : 'md5', hash],
    ],
    foreign: [
      ...[`U${row} `, 'Ann', `Lee${row}`, `mailto:${email}`, `138 ${digits.slice(3, 7)} ${digits.slice(7)}`],
      ...[['M', 'F', 'NULL'][row % 3], `${day}.${month}.${year}`, id, 'acme/Sales'],
      ...[isEven ? 'BLOWFISH' : 'MD5', isEven ? `{CRYPT}${hash}` : hash],
    ],
  };
}

const headers = {
  plain:
    'user_name,name,email,mobile,attr_gender,attr_birthday,external_id,industry,pwd_must_modify,algorithm,hash',
  foreign: 'login,first,last,mail,tel,sex,born,uid,path,enc,pwd',
};

/**
 * The cost of a recipe: an import and a dry run of a foreign file, compared with those of a file with the importer's
 * own columns and the same users.
 * @param {Options} given
 */
export async function* measure(given) {
  const options = { ...given, inFlight: given.inFlight ?? 512 };
  const { rows = 200_000, rounds, directory } = options;
  const file = join(directory, 'recipe.yaml');
  await writeFile(file, recipe);
  const sources = {
    plain: { file: await writeUsers(directory, 'plain', rows), rows, more: [] },
    foreign: { file: await writeUsers(directory, 'foreign', rows), rows, more: ['--recipe', file] },
  };
  /** @type {Record<keyof typeof sources, { dry: number[], real: number[], memory: number[] }>} */
  const found = { plain: { dry: [], real: [], memory: [] }, foreign: { dry: [], real: [], memory: [] } };
  for (let round = 1; round <= rounds; round += 1) {
    options.say(`recipes: round ${round} of ${rounds}`);
    for (const name of /** @type {const} */ (['plain', 'foreign'])) {
      const { dry, real, memory } = found[name];
      dry.push((await run(options, sources[name], '--dry-run')).seconds);
      const database = await options.databases.fresh();
      const { seconds, peak } = await run(options, sources[name], '--local', database);
      await options.databases.drop(database);
      real.push(seconds);
      memory.push(peak);
    }
  }
  const of = `of ${rows.toLocaleString('en')} rows by a recipe, against CSV`;
  const { plain, foreign } = found;
  yield comparison(`import --local ${of}`, 's', foreign.real, plain.real, { atMost: 1.5 });
  yield comparison(`memory, import --local ${of}`, 'MB', foreign.memory, plain.memory, { atMost: 1.3 });
  yield comparison(`dry run ${of}`, 's', foreign.dry, plain.dry);
}

/**
 * @param {ImportOptions} options
 * @param {{ file: string, rows: number, more: string[] }} source
 * @param {string[]} way
 */
async function run(options, { more, ...source }, ...way) {
  const { seconds, peak, stdout } = await runToEnd(importOf(options, source, ...more, ...way));
  const { created, pending } = JSON.parse(stdout);
  if (created + pending !== source.rows) throw new Error(`not all rows are users: ${stdout}`);
  await forgetJob(options);
  return { seconds, peak };
}

/**
 * @param {string} directory
 * @param {'plain' | 'foreign'} name
 * @param {number} rows
 */
async function writeUsers(directory, name, rows) {
  const file = join(directory, `${name}.csv`);
  const output = createWriteStream(file);
  output.write(`${headers[name]}\n`);
  for (let row = 1; row <= rows; row += 1) {
    if (!output.write(`${userOf(row)[name].join(',')}\n`)) await once(output, 'drain');
  }
  output.end();
  await finished(output);
  return file;
}
