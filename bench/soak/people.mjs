import { createHash } from 'node:crypto';
import { hashSync } from '@node-rs/bcrypt';

/** The password of everybody. */
export const right = 'Gf4-kupz';

/** What people had in the older system: four of five a bcrypt hash of cost 10, the fifth an MD5. */
const bcrypt = { algorithm: 'bcrypt', value: hashSync(right, 10) };
const md5 = { algorithm: 'md5', value: createHash('md5').update(right).digest('hex') };
const hashes = [bcrypt, bcrypt, bcrypt, bcrypt, md5];

/** @typedef {{ user_id: string, user_name: string, email: string, mobile: string, external_id: string }} Person */

/**
 * The users that the traffic has made so far, by what may be done with them: whoever is disabled never logs in here, and
 * who has a legacy hash has it until the first login.
 */
export function openPeople() {
  let made = 0;
  /** @type {Person[]} */
  const all = [];
  /** @type {Person[]} */
  const legacy = [];
  /** @type {Person[]} */
  const members = [];
  /** @type {Person[]} */
  const created = [];

  function values() {
    made += 1;
    return {
      user_name: `user-${made}`,
      name: `张三 ${made}`,
      email: `user-${made}@example.com`,
      mobile: `+86-${13_000_000_000 + made}`,
      external_id: `legacy-${made}`,
      pwd_must_modify: false,
    };
  }

  return {
    count: () => all.length,
    /** A user for `import-hash-pwd`. */
    newImported() {
      const user = values();
      return { ...user, 'hash-pwd': hashes[made % hashes.length] };
    },
    /** A user for `create`. */
    newCreated: () => ({ ...values(), pwd: right }),
    /** @param {Person} person */
    addImported(person) {
      all.push(person);
      legacy.push(person);
    },
    /** @param {Person} person */
    addCreated(person) {
      all.push(person);
      created.push(person);
    },
    /** @param {Person} person who has logged in */
    addMember: (person) => void members.push(person),
    any: () => drawn(all),
    member: () => drawn(members),
    /** Somebody whose hash no login has replaced yet, drawn once. */
    takeLegacy: () => taken(legacy),
    /** Somebody who can be disabled, drawn once. */
    takeCreated: () => taken(created),
  };
}

/** @typedef {ReturnType<typeof openPeople>} People */

/** @param {readonly Person[]} list */
function drawn(list) {
  return list[Math.floor(Math.random() * list.length)];
}

/** @param {Person[]} list */
function taken(list) {
  const index = Math.floor(Math.random() * list.length);
  const person = list[index];
  const last = list.pop();
  if (last && index < list.length) list[index] = last;
  return person;
}
