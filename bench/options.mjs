import { parseArgs } from 'node:util';

/** @import { Databases } from './databases.mjs' */

/**
 * The input of a bench: the numbers of the command line (some without a default, so that each bench has its own), where
 * databases come from, a directory that is removed at the end, and a function that reports progress.
 * @typedef {ReturnType<typeof readOptions> & { databases: Databases, directory: string, say(text: string): void }}
 * Options
 */

/** @typedef {Options & { inFlight: number }} ImportOptions Those of a bench that imports. */

/** Something that a bench needs is missing; the message is meant for the caller. */
export class UsageError extends Error {}

const usage = {
  rows: 'rows of an import, and of decisions (default: 100000; memory: 1000000; recipes: 200000; rate-limit: 40000)',
  users: 'users of the large table (default: 1000000)',
  rounds: 'times that each comparison is made (default: 5)',
  runs: 'starts of each command in startup (default: 20)',
  seconds: 'length of one measurement in lookup (default: 2) and create (default: 4)',
  'in-flight': 'requests on the wire at the same time (default: 64; import: 512)',
  times: 'kills in durability (default: 20)',
  minutes: 'length of soak (default: 30)',
};
const texts = {
  database:
    'postgres (a server of its own) or postgres://…, on which databases are made and dropped (default: SQLite)',
  only: 'parts of rate-limit, such as speed,permit, of attacks: guesses,load, of decisions: compare, or of proxies: citus (default: all)',
};
const switches = {
  growth: 'import also against a tenth of the rows (from 1000000 rows on by itself)',
  json: 'print one JSON document at the end',
  help: 'print the benches and their options',
};

/** All options, one on each line. */
export const optionLines = [
  ...Object.entries(usage).map(([name, text]) => `  ${`--${name} N`.padEnd(18)} ${text}`),
  ...Object.entries(texts).map(([name, text]) => `  ${`--${name} TEXT`.padEnd(18)} ${text}`),
  ...Object.entries(switches).map(([name, text]) => `  ${`--${name}`.padEnd(18)} ${text}`),
].join('\n');

/**
 * Reads the arguments: names of benches, and options. Throws `UsageError`.
 * @param {string[]} args
 */
export function readOptions(args) {
  const { values, positionals } = parsed(args);
  /** @param {keyof typeof usage} name */
  const count = (name) => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(text))
      throw new UsageError(`--${name} takes a whole number from 1, not "${text}"`);
    return Number(text);
  };
  const { database } = values;
  if (database !== undefined && database !== 'postgres' && !/^postgres(ql)?:\/\//.test(database)) {
    throw new UsageError(
      '--database takes "postgres", for a server of its own, or the URL of one: postgres://…',
    );
  }
  return {
    names: positionals,
    rows: count('rows'),
    users: count('users') ?? 1_000_000,
    rounds: count('rounds') ?? 5,
    runs: count('runs') ?? 20,
    seconds: count('seconds'),
    inFlight: count('in-flight'),
    times: count('times') ?? 20,
    minutes: count('minutes') ?? 30,
    only: values.only?.split(','),
    growth: values.growth ?? false,
    json: values.json ?? false,
    help: values.help ?? false,
    database,
  };
}

/** @param {string[]} args */
function parsed(args) {
  const text = /** @type {const} */ ({ type: 'string' });
  const flag = /** @type {const} */ ({ type: 'boolean' });
  const counts = /** @type {Record<keyof typeof usage, typeof text>} */ (
    Object.fromEntries(Object.keys(usage).map((name) => [name, text]))
  );
  const options = { ...counts, database: text, only: text, growth: flag, json: flag, help: flag };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
