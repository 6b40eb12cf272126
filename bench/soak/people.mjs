import { createHash } from 'node:crypto';
import { hashSync } from '@node-rs/bcrypt';

/** The password of all users. */
export const right = 'Gf4-kupz';

/** The hashes from the older system: four of five are bcrypt hashes of cost 10, the fifth is an MD5. */
const bcrypt = { algorithm: 'bcrypt', value: hashSync(right, 10) };
const md5 = { algorithm: 'md5', value: createHash('md5').update(right).digest('hex') };
const hashes = [bcrypt, bcrypt, bcrypt, bcrypt, md5];

/** @typedef {{ user_id: string, user_name: string, email: string, mobile: string, external_id: string }} Person */

/**
 * The users that the traffic has created so far, by what may be done with them: a disabled user never logs in here, and
 * a user keeps a legacy hash until the first login.
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
    /** A user whose hash no login has replaced yet; each is drawn once. */
    takeLegacy: () => taken(legacy),
    /** A user who can be disabled; each is drawn once. */
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
