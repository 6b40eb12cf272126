import { setTimeout as sleep } from 'node:timers/promises';
import { right } from './people.mjs';

/** @import { BarePool, Request } from '../bare-pool.mjs' */
/** @import { People, Person } from './people.mjs' */

/**
 * Sends a request that must be answered with a status (by default 200), and records its time under a name.
 * @typedef {(kind: string, request: Request, expected?: number) => Promise<any>} Ask
 */

const users = '/api/v2/tenant/users';
const device = { device_fingerprint: 'f', operating_sys_version: '1', device_ip: '127.0.0.1' };
const deviceHeaders = {
  'x-client-id': 'bench',
  'x-device-fingerprint': 'f',
  'x-operating-sys-version': '1',
  'x-agent': 'bench',
};
/** Imports that come together each minute, and how many of them are in flight. */
const batch = { rows: 300, atOnce: 16 };

/**
 * What happens, and how often a second. On one core of the year 2022 it keeps the service busy for a third of the time,
 * nearly all of it for the logins, the creates and the hashes of the imported users.
 * @type {{ perSecond: number, isRegular?: true, run(ask: Ask, people: People): Promise<void> }[]}
 */
const mix = [
  { perSecond: 8, run: (ask, people) => lookUp(ask, people, ({ user_id }) => get(`${users}/${user_id}`)) },
  ...byKeys(['user_name', 'email', 'mobile', 'external_id']),
  { perSecond: 3, run: (ask) => page(ask, 'first page', 'offset=0') },
  { perSecond: 3, run: (ask, people) => page(ask, 'page', `offset=${randomPage(people)}`) },
  { perSecond: 1, run: (ask) => page(ask, 'page by time', `offset=0&updated_at_greater=${tenMinutesAgo()}`) },
  { perSecond: 5, run: importOne },
  { perSecond: 1 / 60, isRegular: true, run: importBatch },
  { perSecond: 0.5, run: create },
  { perSecond: 5, run: update },
  { perSecond: 0.3, run: disable },
  { perSecond: 1, run: obtainToken },
  { perSecond: 1, run: firstLogin },
  { perSecond: 1, run: laterLogin },
  // From all users: of the few who have logged in at the beginning, some would be locked by it.
  { perSecond: 0.5, run: (ask, people) => rejected(ask, people.any()?.user_name) },
  { perSecond: 0.2, run: (ask) => rejected(ask, `nobody-${Math.random()}`) },
];

/**
 * Starts the traffic, in which most kinds come at random moments, as from many callers; `stop` resolves when all
 * requests are answered. An unexpected answer is reported, and the traffic continues.
 * @param {Ask} ask
 * @param {People} people
 * @param {(failure: unknown) => void} failed
 */
export function startTraffic(ask, people, failed) {
  /** @type {Set<NodeJS.Timeout>} */
  const timers = new Set();
  /** @type {Set<Promise<void>>} */
  const running = new Set();

  /** @param {(typeof mix)[number]} kind */
  function plan(kind) {
    const part = kind.isRegular ? 1 : -Math.log(1 - Math.random());
    const wait = (part * 1000) / kind.perSecond;
    const timer = setTimeout(() => {
      timers.delete(timer);
      plan(kind);
      const one = kind.run(ask, people).catch(failed);
      running.add(one);
      void one.then(() => running.delete(one));
    }, wait);
    timers.add(timer);
  }

  for (const kind of mix) plan(kind);
  return {
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

/**
 * Imports users before the traffic begins.
 * @param {Ask} ask
 * @param {People} people
 * @param {number} rows
 */
export async function importMany(ask, people, rows) {
  let left = rows;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await importOne(ask, people, 'import in a batch');
    }
  };
  await Promise.all(Array.from({ length: batch.atOnce }, one));
}

/** @param {Ask} ask @param {People} people */
function importBatch(ask, people) {
  return importMany(ask, people, batch.rows);
}

/** @param {Ask} ask @param {People} people */
async function importOne(ask, people, kind = 'import') {
  const { 'hash-pwd': hash, ...user } = people.newImported();
  const body = { ...user, 'hash-pwd': hash };
  const { user_id } = await ask(kind, post(`${users}/import-hash-pwd`, body));
  people.addImported({ ...user, user_id });
}

/** @param {Ask} ask @param {People} people */
async function create(ask, people) {
  const { pwd, ...user } = people.newCreated();
  const { user_id } = await ask('create', post(users, { ...user, pwd }));
  people.addCreated({ ...user, user_id });
}

/**
 * @param {Ask} ask
 * @param {People} people
 * @param {(person: Person) => Request} requestOf
 */
async function lookUp(ask, people, requestOf) {
  const person = people.any();
  if (!person) return;
  const { user_id } = await ask('look-up', requestOf(person));
  if (user_id !== person.user_id) throw new Error(`a look-up of ${person.user_id} found ${user_id}`);
}

/** @param {(keyof Person)[]} keys */
function byKeys(keys) {
  return keys.map((key) => {
    const path = `${users}/user-by-${key.replaceAll('_', '-').replace('user-name', 'username')}`;
    return {
      perSecond: 8,
      run: (/** @type {Ask} */ ask, /** @type {People} */ people) =>
        lookUp(ask, people, (person) => post(path, { [key]: person[key] })),
    };
  });
}

/** @param {Ask} ask @param {string} kind @param {string} query */
async function page(ask, kind, query) {
  await ask(kind, get(`${users}?limit=100&${query}`));
}

/** @param {People} people */
function randomPage(people) {
  return Math.floor((Math.random() * people.count()) / 100);
}

function tenMinutesAgo() {
  const time = new Date(Date.now() - 600_000).toISOString().slice(0, 19).replace('T', ' ');
  return encodeURIComponent(time);
}

/** @param {Ask} ask @param {People} people */
async function update(ask, people) {
  const person = people.any();
  if (!person) return;
  const path = `${users}/${person.user_id}`;
  const body = JSON.stringify({ mailing_address: `${Math.random()} Baker Street` });
  await ask('update', { method: 'PUT', path, body });
}

/** @param {Ask} ask @param {People} people */
async function disable(ask, people) {
  const person = people.takeCreated();
  if (person) await ask('disable', { method: 'PUT', path: `${users}/${person.user_id}/disable` });
}

/** @param {Ask} ask */
async function obtainToken(ask) {
  const query = 'grant_type=client_credentials&client_id=bench&client_secret=bench';
  await ask('token', { method: 'POST', path: `/api/v2/tenant/token?${query}` });
}

/** A login with the legacy hash, which the login replaces. @param {Ask} ask @param {People} people */
async function firstLogin(ask, people) {
  const person = people.takeLegacy();
  if (!person) return;
  await logIn(ask, 'first login', person.user_name);
  people.addMember(person);
}

/** A login and a ticket, which is exchanged. @param {Ask} ask @param {People} people */
async function laterLogin(ask, people) {
  const person = people.member();
  if (!person) return;
  const { session_token } = await logIn(ask, 'login', person.user_name);
  const ticketPath = '/api/v2/tenant/sso/session-token/sso-ticket';
  const { sso_ticket } = await ask('ticket', post(ticketPath, { session_token, ...device }));
  await sleep(50);
  const { id } = await ask(
    'exchange of a ticket',
    post('/api/v2/tenant/sso/sso-ticket/verify', { sso_ticket, ...device }),
  );
  if (id !== person.user_id) throw new Error(`the ticket of ${person.user_id} was that of ${id}`);
}

/** @param {Ask} ask @param {string} kind @param {string} user_name */
async function logIn(ask, kind, user_name) {
  const answer = await ask(kind, loginOf(user_name, right));
  if (answer.status !== 'SUCCESS') throw new Error(`a login came to ${answer.status}`);
  return answer;
}

/** @param {Ask} ask @param {string | undefined} user_name */
async function rejected(ask, user_name) {
  if (user_name !== undefined) await ask('rejected login', loginOf(user_name, 'wrong'), 400);
}

/** @param {string} user_name @param {string} password */
function loginOf(user_name, password) {
  return { ...post('/api/v2/sdk/login', { user_name, password }), headers: deviceHeaders };
}

/** @param {string} path @returns {Request} */
function get(path) {
  return { method: 'GET', path };
}

/** @param {string} path @param {object} body @returns {Request} */
function post(path, body) {
  return { method: 'POST', path, body: JSON.stringify(body) };
}
