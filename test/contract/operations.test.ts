import { expect, test } from 'vitest';
import { companions, isRead, type Operation, operations } from '../../src/contract/operations.ts';
import { wireSchemas } from '../../src/contract/wire.ts';
import { operationShapes } from '../../src/service/openapi/operation-shapes.ts';

/** Section 4 of the specification: the address of every endpoint. */
const specification: Record<string, string> = {
  '4.1': 'POST /api/v2/tenant/token',
  '4.2': 'GET /api/v2/tenant/users',
  '4.3': 'POST /api/v2/tenant/users',
  '4.4': 'POST /api/v2/tenant/users/import-hash-pwd',
  '4.5': 'GET /api/v2/tenant/users/{user_id}',
  '4.6': 'POST /api/v2/tenant/users/user-by-username',
  '4.7': 'POST /api/v2/tenant/users/user-by-email',
  '4.8': 'POST /api/v2/tenant/users/user-by-mobile',
  '4.9': 'POST /api/v2/tenant/users/user-by-external-id',
  '4.10': 'PUT /api/v2/tenant/users/{user_id}',
  '4.11': 'PUT /api/v2/tenant/users/{user_id}/disable',
  '4.12': 'POST /api/v2/tenant/sso/sso-ticket/verify',
};

function addressOf({ method, url }: Operation): string {
  return `${method} ${url.replace(/:(\w+)/g, '{$1}')}`;
}

test('the twelve operations have the addresses of the specification', () => {
  const told = Object.values(operations).map((operation) => [operation.section, addressOf(operation)]);
  expect(told).toHaveLength(12);
  expect(Object.fromEntries(told)).toEqual(specification);
});

test('companions have addresses of their own and are marked as companions', () => {
  const all = [...Object.values(operations), ...Object.values(companions)].map(addressOf);
  expect(new Set(all).size).toBe(all.length);
  expect(new Set(Object.values(companions).map(({ section }) => section))).toEqual(new Set(['companion']));
});

test('an operation that creates, uses up or overwrites something is not repeatable', () => {
  const entries = Object.entries<Operation>(operations);
  const once = entries.filter(([, { repeatable }]) => !repeatable).map(([name]) => name);
  expect(once).toEqual(['createUser', 'importHashedUser', 'updateUser', 'verifySsoTicket']);
});

test('a call only reads if it is a GET or a look-up; the exchange of a ticket uses it up', () => {
  expect(isRead('GET', '/unknown')).toBe(true);
  expect(isRead('POST', '/api/v2/tenant/users/user-by-email?x=1')).toBe(true);
  expect(isRead('POST', operations.verifySsoTicket.url)).toBe(false);
  expect(isRead('POST', '/api/v2/tenant/users')).toBe(false);
  expect(isRead('POST', '/unknown')).toBe(false);
});

test('the operations that accept a picture are those whose body has one', () => {
  const withPicture = Object.entries(operationShapes).filter(([, { body }]) => {
    const schema = typeof body === 'string' ? wireSchemas[body] : undefined;
    return schema !== undefined && 'entries' in schema && 'head_img' in schema.entries;
  });
  const marked = Object.entries<Operation>({ ...operations, ...companions }).filter(
    ([, { takesPicture }]) => takesPicture,
  );
  expect(marked.map(([name]) => name)).toEqual(withPicture.map(([name]) => name));
  expect(marked).toHaveLength(3);
});
