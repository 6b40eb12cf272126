import { expect, test } from 'vitest';
import known from '../../../fixtures/hash-vectors.json' with { type: 'json' };
import { attributeNames } from '../../../src/contract/attributes.ts';
import { endpoints } from '../../../src/contract/operations.ts';
import { startTestService } from '../../test-service.ts';
import { bodyFaults } from './reply-validator.ts';

const hash = { algorithm: 'md5', value: known.vectors[0]?.md5 };
const writes = ['createUser', 'importHashedUser', 'updateUser'] as const;
const creations = ['createUser', 'importHashedUser'] as const;

/** Sends a body to an operation; returns the status of the answer and what the description forbids in the body. */
async function startSender() {
  const { client, request } = await startTestService();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  return async (name: (typeof writes)[number], body: object) => {
    const { method, url } = endpoints[name];
    const { status } = await request(method, url.replace(':user_id', user_id), { body });
    return { name, body, status, faults: bodyFaults(name, body) };
  };
}

/** A field without a value, in both forms, and the operations that accept it. */
const empty = [null, ''].flatMap((none) => [
  ...attributeNames
    .filter((name) => name !== 'user_name')
    .map((name) => ({ names: writes, body: { [name]: none } })),
  { names: creations, body: { user_name: none } },
  { names: writes, body: { extension: { age: none } } },
  { names: creations, body: { pwd: none } },
  { names: creations, body: { 'hash-pwd': { ...hash, algorithm: none } } },
  { names: creations, body: { 'hash-pwd': { ...hash, value: none } } },
  { names: creations, body: { 'hash-pwd': { ...hash, key: none } } },
]);
const bodies = [
  ...empty,
  { names: writes, body: { extension: null } },
  { names: creations, body: { 'hash-pwd': null } },
  { names: creations, body: { 'hash-pwd': { algorithm: 'md5' } } },
  { names: creations, body: { 'hash-pwd': { value: hash.value } } },
  { names: creations, body: { pwd_must_modify: null } },
  { names: writes, body: { attr_gender: 'male', attr_birthday: '2000-02-29' } },
];

test('what the service accepts as no value is described as such', async () => {
  const send = await startSender();
  const sent = bodies.flatMap(({ names, body }) => names.map((name) => send(name, body)));
  for (const one of await Promise.all(sent)) expect(one).toMatchObject({ status: 200, faults: [] });
});

test('values that the description forbids are rejected', async () => {
  const send = await startSender();
  for (const body of [
    { name: 5 },
    { attr_gender: 'x' },
    { attr_birthday: '1.2.2000' },
    { extension: 5 },
    { extension: { age: 5 } },
    { zip_code: 'x'.repeat(21) },
  ]) {
    for (const name of writes) {
      const { status, faults } = await send(name, body);
      expect({ name, body, status, faults: faults.length }).toEqual({ name, body, status: 400, faults: 1 });
    }
  }
  for (const body of [{ 'hash-pwd': 5 }, { 'hash-pwd': { ...hash, algorithm: 'sha1' } }]) {
    const { status, faults } = await send('importHashedUser', body);
    expect({ body, status, faults: faults.length > 0 }).toEqual({ body, status: 400, faults: true });
  }
});
