/**
 * What an engine with PostgreSQL's protocol does not support: a name for the refusal, and a test of a statement after
 * what its transaction has done so far.
 * @typedef {{ ddl: number, changes: number, isOpen: boolean }} Done
 * @typedef {(statement: string, done: Done) => boolean} Rule
 */

/** @satisfies {Record<string, Rule>} */
const rules = {
  'advisory locks': (statement) => /\bpg_(?:try_)?advisory_/i.test(statement),
  'LISTEN and NOTIFY': (statement) => /^(?:UN)?(?:LISTEN|NOTIFY)\b/i.test(statement),
  savepoints: (statement) => /^(?:SAVEPOINT|RELEASE|ROLLBACK\s+(?:\w+\s+)?TO)\b/i.test(statement),
  'a subquery in VALUES': (statement) => /^INSERT\b.*\bVALUES\b.*\bSELECT\b/is.test(statement),
  'two definitions in a transaction': (statement, { ddl }) => isDdl(statement) && ddl > 0,
  'definitions beside changes': (statement, { ddl, changes }) =>
    (isDdl(statement) && changes > 0) || (isChange(statement) && ddl > 0),
  'definitions in a transaction block': (statement, { isOpen }) => isDdl(statement) && isOpen,
  'partial indexes': (statement) => /^CREATE\s.*\bINDEX\b.*\bWHERE\b/is.test(statement),
  'state of a session': (statement) =>
    /^(?:SET\s+(?!LOCAL\b|TRANSACTION\b)|PREPARE\b|DECLARE\b|CREATE\s+TEMP)|\bpg_advisory_lock\b/i.test(
      statement,
    ),
};

const isDdl = (/** @type {string} */ statement) => /^(?:CREATE|ALTER|DROP|TRUNCATE)\b/i.test(statement);
const isChange = (/** @type {string} */ statement) => /^(?:INSERT|UPDATE|DELETE)\b/i.test(statement);

/**
 * The properties of an engine that our statements could notice. `named`: keeps prepared statements; `startup`: accepts
 * settings as parameters of the start; `races`: the share of transactions that fail with 40001 without a real conflict.
 * @typedef {{ refuses: readonly (keyof typeof rules)[], named: boolean, startup: boolean, races: number }} Engine
 */

/** @satisfies {Record<string, Engine>} */
export const engines = {
  citus: { refuses: ['a subquery in VALUES', 'LISTEN and NOTIFY'], named: true, startup: true, races: 0 },
  cockroach: {
    refuses: ['advisory locks', 'LISTEN and NOTIFY', 'definitions in a transaction block'],
    named: true,
    startup: true,
    races: 0.01,
  },
  yugabyte: {
    refuses: ['advisory locks', 'LISTEN and NOTIFY', 'definitions in a transaction block'],
    named: true,
    startup: true,
    races: 0.1,
  },
  'pgbouncer-transaction': {
    refuses: ['state of a session', 'LISTEN and NOTIFY'],
    named: false,
    startup: false,
    races: 0,
  },
  /** No real engine: it refuses everything that any of them refuses. */
  strictest: {
    refuses: [
      'advisory locks',
      'LISTEN and NOTIFY',
      'savepoints',
      'a subquery in VALUES',
      'two definitions in a transaction',
      'definitions beside changes',
      'definitions in a transaction block',
      'partial indexes',
      'state of a session',
    ],
    named: false,
    startup: false,
    races: 0.1,
  },
};

/** @typedef {keyof typeof engines} EngineName */

/**
 * @param {string} name
 * @returns {name is EngineName}
 */
export function isEngine(name) {
  return Object.hasOwn(engines, name);
}

/**
 * Follows the transactions of one connection. `refusal` returns why its engine does not execute a text of SQL, if so.
 * @param {Engine} engine
 */
export function followTransactions(engine) {
  /** @type {Done} */
  let done = { ddl: 0, changes: 0, isOpen: false };
  let wasOpen = false;
  return {
    /** Whether a transaction was open before and after the last text. */
    wasOpen: () => wasOpen,
    isOpen: () => done.isOpen,
    /** @param {string} text */
    refusal(text) {
      wasOpen = done.isOpen;
      for (const statement of statementsOf(text)) {
        if (/^(?:BEGIN|START)\b/i.test(statement)) done = { ddl: 0, changes: 0, isOpen: true };
        const refused = engine.refuses.find((name) => rules[name](statement, done));
        if (refused !== undefined) return `this engine has no ${refused}: ${statement.slice(0, 80)}`;
        if (isDdl(statement)) done.ddl += 1;
        if (isChange(statement)) done.changes += 1;
        if (/^(?:COMMIT|END|ROLLBACK|ABORT)\b/i.test(statement)) done = { ddl: 0, changes: 0, isOpen: false };
      }
      if (!done.isOpen) done = { ddl: 0, changes: 0, isOpen: false };
      return undefined;
    },
  };
}

/**
 * The statements of a text, without comments and quoted parts.
 * @param {string} text
 */
function statementsOf(text) {
  return text
    .replaceAll(/'(?:[^']|'')*'|--[^\n]*|\/\*.*?\*\//gs, ' ')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/**
 * Random numbers between 0 and 1, the same in each run.
 * @param {number} seed
 */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
