import { expect, test } from 'vitest';
import { ApiError } from '../../../src/client/errors.ts';
import { definitionOf } from '../../../src/service/tenant/definition.ts';
import { startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';
import { keptDatabase } from '../storage/test-database.ts';

const extension = {
  badge: { display_name: 'Badge', unique: true },
  desk: { display_name: 'Desk', unique: true },
};
const tenants = [definitionOf(JSON.stringify({ extension }))];
const badge = apiErrorOf('extensionTaken', 'Badge');
const desk = apiErrorOf('extensionTaken', 'Desk');

test('only one user can have a value, in create, import and change; values are compared exactly', async () => {
  const { client } = await startTestService({ tenants });
  await client.createUser({ extension: { badge: 'b1' } });
  await expect(client.createUser({ extension: { badge: 'b1' } })).rejects.toMatchObject(badge);
  await expect(client.importHashedUser({ extension: { badge: 'b1' } })).rejects.toMatchObject(badge);
  const other = await client.createUser({ extension: { badge: 'B1', desk: 'b1' } });
  await expect(client.updateUser(other.user_id, { extension: { badge: 'b1' } })).rejects.toMatchObject(badge);
  expect(await client.getUser(other.user_id)).toMatchObject({ extension: { badge: 'B1', desk: 'b1' } });
});

test('a value that is cleared or changed is free again; a value that stays is not', async () => {
  const { client } = await startTestService({ tenants });
  const { user_id } = await client.createUser({ extension: { badge: 'b1', desk: 'd1' } });
  await client.updateUser(user_id, { extension: { badge: 'b2' } });
  await client.createUser({ extension: { badge: 'b1' } });
  await expect(client.createUser({ extension: { desk: 'd1' } })).rejects.toMatchObject(desk);
  await client.updateUser(user_id, { extension: { desk: '' } });
  await client.createUser({ extension: { desk: 'd1' } });
  await expect(client.createUser({ extension: { badge: 'b2' } })).rejects.toMatchObject(badge);
});

test('these conflicts come after those of the other attributes, in the order of the definition', async () => {
  const { client } = await startTestService({ tenants });
  await client.createUser({ email: 'a@b', extension: { badge: 'b1', desk: 'd1' } });
  const both = { desk: 'd1', badge: 'b1' };
  await expect(client.createUser({ email: 'a@b', extension: both })).rejects.toMatchObject(
    apiErrorOf('emailTaken'),
  );
  await expect(client.createUser({ extension: both })).rejects.toMatchObject(badge);
  await expect(client.createUser({ extension: { desk: 'd1', badge: 'b2' } })).rejects.toMatchObject(desk);
  await client.createUser({ extension: { badge: 'b2' } });
});

test('of many parallel creates or changes with one value exactly one succeeds', async () => {
  const { connect } = await startTestService({ tenants });
  const client = connect({ connections: 20 });
  const ids = await Promise.all(Array.from({ length: 20 }, () => client.createUser({})));
  const calls = [
    ...ids.map(({ user_id }) => client.updateUser(user_id, { extension: { badge: 'b1' } })),
    ...ids.map(() => client.createUser({ extension: { badge: 'b1' } })),
  ];
  const outcomes = await Promise.allSettled(calls);
  const lost = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(lost).toHaveLength(39);
  expect(lost.every((reason) => reason instanceof ApiError && reason.code === badge.code)).toBe(true);
});

test('a user can exchange the values of two attributes in one change', async () => {
  const { client } = await startTestService({ tenants });
  const { user_id } = await client.createUser({ extension: { badge: 'x', desk: 'y' } });
  await client.updateUser(user_id, { extension: { badge: 'y', desk: 'x' } });
  await client.createUser({ extension: { badge: 'x', desk: 'y' } });
  await expect(client.createUser({ extension: { badge: 'y' } })).rejects.toMatchObject(badge);
});

test('the claim of a user who is missing, as after a partial restore, keeps nobody from the value', async () => {
  const database = await keptDatabase();
  const { client } = await startTestService({ tenants, database });
  const { user_id } = await client.createUser({ extension: { badge: 'b1' } });
  await database.commit([{ sql: 'DELETE FROM users WHERE user_id = ?', values: [user_id] }]);
  await client.createUser({ extension: { badge: 'b1' } });
  await expect(client.createUser({ extension: { badge: 'b1' } })).rejects.toMatchObject(badge);
});
