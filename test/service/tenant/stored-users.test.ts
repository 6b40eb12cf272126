import { expect, test } from 'vitest';
import type { Database } from '../../../src/service/storage/engine/database.ts';
import { definitionOf } from '../../../src/service/tenant/definition.ts';
import { startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';
import { insertUsers } from '../storage/insert-users.ts';
import { keptDatabase, lastingDatabase } from '../storage/test-database.ts';

const definition = (more: object = {}) => definitionOf(JSON.stringify(more));
const desk = (more: object = {}) => definition({ extension: { desk: { display_name: 'Desk', ...more } } });

/** Starts services one after the other on one database, each with its own definition. */
async function startingWith() {
  const database = await lastingDatabase();
  let former: { close(): Promise<void> } | undefined;
  return async (tenant: ReturnType<typeof definition>) => {
    await former?.close();
    const service = await startTestService({ database, tenants: [tenant] });
    former = service;
    return service.client;
  };
}

const taken = apiErrorOf('extensionTaken', 'Desk');

test('a new definition leaves stored users as they are, and holds for everything written from then on', async () => {
  const start = await startingWith();
  const before = await start(definition({ extension: { age: { display_name: 'Age' } } }));
  const { user_id } = await before.createUser({
    user_name: 'A_B',
    extension: { age: '42' },
  });
  const old = await before.getUser(user_id);

  const strict = { attributes: { name: { required: true }, user_name: { pattern: '^[a-z]+$' } } };
  const after = await start(definition(strict));
  expect(await after.getUser(user_id)).toEqual(old);
  expect(await after.listUsers({ offset: 0, limit: 10 })).toMatchObject({ total: 1, users: [old] });
  await after.updateUser(user_id, { zip_code: '1' });
  expect(await after.getUser(user_id)).toMatchObject({ user_name: 'A_B', extension: { age: '42' } });
  await expect(after.updateUser(user_id, { name: '' })).rejects.toMatchObject(apiErrorOf('nameEmpty'));
  await expect(after.updateUser(user_id, { extension: { age: '43' } })).rejects.toMatchObject(
    apiErrorOf('extensionInvalid', 'age'),
  );
  await expect(after.createUser({ user_name: 'ann' })).rejects.toMatchObject(apiErrorOf('nameEmpty'));
});

test('a stored mobile number of an area that is no longer permitted does not prevent other changes', async () => {
  const start = await startingWith();
  const before = await start(definition());
  const far = await before.createUser({ mobile: '+852-51234567' });
  const near = await before.createUser({ mobile: '15200000000' });
  const mobile = { default_area_code: '49', area_codes: { 49: '^1\\d+$', 86: '^1' } };
  const after = await start(definition({ mobile }));
  await after.updateUser(far.user_id, { name: 'Far' });
  await after.updateUser(near.user_id, { name: 'Near' });
  expect(await after.getUser(far.user_id)).toMatchObject({ name: 'Far', mobile: '+852-51234567' });
  expect(await after.getUserByMobile('86-15200000000')).toMatchObject({ user_id: near.user_id });

  await after.updateUser(near.user_id, { mobile: '15200000000' });
  expect(await after.getUserByMobile('49-15200000000')).toMatchObject({ user_id: near.user_id });
  await expect(after.getUserByMobile('86-15200000000')).rejects.toMatchObject(apiErrorOf('userNotFound'));
});

test("a user name that is another user's number only by the new rules does not prevent other changes of either", async () => {
  const start = await startingWith();
  const numbers = (default_area_code: string) =>
    definition({ mobile: { default_area_code, area_codes: { 86: '^1', 852: '^5' } } });
  const before = await start(numbers('86'));
  const ann = await before.createUser({ user_name: '51234567' });
  const bea = await before.createUser({ mobile: '852-51234567' });
  const after = await start(numbers('852'));
  await after.updateUser(ann.user_id, { email: 'ann@example.com' });
  await after.updateUser(bea.user_id, { user_name: 'bea' });
  expect(await after.getUserByUserName('bea')).toMatchObject({ mobile: '852-51234567' });
  await expect(after.updateUser(bea.user_id, { user_name: 'ann@example.com' })).rejects.toMatchObject(
    apiErrorOf('userNameTaken'),
  );
  await after.updateUser(ann.user_id, { user_name: 'ann' });
  await expect(after.updateUser(ann.user_id, { user_name: '51234567' })).rejects.toMatchObject(
    apiErrorOf('userNameTaken'),
  );
  await after.updateUser(ann.user_id, { user_name: 'bea@example.com' });
  await expect(after.updateUser(bea.user_id, { email: 'Bea@example.com' })).rejects.toMatchObject(
    apiErrorOf('emailTaken'),
  );
});

test('an attribute that becomes unique reserves the values of stored users; users who share a value keep it and can be changed', async () => {
  const start = await startingWith();
  const before = await start(desk());
  const [ann, bea, eve] = [
    await before.createUser({ user_name: 'ann', extension: { desk: 'A1' } }),
    await before.createUser({ user_name: 'bea', extension: { desk: 'A1' } }),
    await before.createUser({ user_name: 'eve', extension: { desk: 'B2' } }),
  ];
  const after = await start(desk({ unique: true }));
  await expect(after.createUser({ extension: { desk: 'A1' } })).rejects.toMatchObject(taken);
  await expect(after.createUser({ extension: { desk: 'B2' } })).rejects.toMatchObject(taken);

  await after.updateUser(bea.user_id, { name: 'Bea' });
  await after.updateUser(bea.user_id, { extension: { desk: 'A1' } });
  expect(await after.getUser(bea.user_id)).toMatchObject({ name: 'Bea', extension: { desk: 'A1' } });
  await expect(after.updateUser(bea.user_id, { extension: { desk: 'B2' } })).rejects.toMatchObject(taken);
  await after.updateUser(bea.user_id, { extension: { desk: 'C3' } });
  await expect(after.createUser({ extension: { desk: 'A1' } })).rejects.toMatchObject(taken);

  await after.updateUser(ann.user_id, { extension: { desk: 'D4' } });
  await after.updateUser(eve.user_id, { extension: { desk: 'A1' } });
  expect(await after.getUser(eve.user_id)).toMatchObject({ extension: { desk: 'A1' } });
});

test('values reserved while an attribute was unique are free again after a time in which it was not', async () => {
  const start = await startingWith();
  const unique = desk({ unique: true });
  const { user_id } = await (await start(unique)).createUser({ extension: { desk: 'A1' } });
  const meanwhile = await start(desk());
  await meanwhile.updateUser(user_id, { extension: { desk: 'B2' } });
  const again = await start(unique);
  await again.createUser({ extension: { desk: 'A1' } });
  await expect(again.createUser({ extension: { desk: 'B2' } })).rejects.toMatchObject(taken);
});

test('a user can get a value back that a service without the rule let the user give up', async () => {
  const database = await lastingDatabase();
  const { client: loose } = await startTestService({ database, tenants: [desk()] });
  const { user_id } = await loose.createUser({ extension: { desk: 'A1' } });
  const { client: strict } = await startTestService({ database, tenants: [desk({ unique: true })] });
  await loose.updateUser(user_id, { extension: { desk: 'B2' } });
  await strict.updateUser(user_id, { extension: { desk: 'A1' } });
  expect(await strict.getUser(user_id)).toMatchObject({ extension: { desk: 'A1' } });
  await expect(strict.createUser({ extension: { desk: 'A1' } })).rejects.toMatchObject(taken);
});

test('a value is free for another user after a service without the rule let its user give it up', async () => {
  const database = await lastingDatabase();
  const { client: loose } = await startTestService({ database, tenants: [desk()] });
  const { user_id } = await loose.createUser({ extension: { desk: 'A1' } });
  const { client: strict } = await startTestService({ database, tenants: [desk({ unique: true })] });
  const other = await strict.createUser({ extension: { desk: 'B2' } });
  await expect(strict.createUser({ extension: { desk: 'A1' } })).rejects.toMatchObject(taken);
  await loose.updateUser(user_id, { extension: { desk: '' } });
  await strict.updateUser(other.user_id, { extension: { desk: 'A1' } });
  await expect(strict.createUser({ extension: { desk: 'A1' } })).rejects.toMatchObject(taken);
  await strict.createUser({ extension: { desk: 'B2' } });
});

test('a value that moved to another user without the rule is reserved for that user', async () => {
  const database = await lastingDatabase();
  const { client: loose } = await startTestService({ database, tenants: [desk()] });
  const { user_id } = await loose.createUser({ extension: { desk: 'A1' } });
  const { client: strict } = await startTestService({ database, tenants: [desk({ unique: true })] });
  await loose.updateUser(user_id, { extension: { desk: '' } });
  const other = await loose.createUser({ extension: { desk: 'A1' } });
  await startTestService({ database });
  await expect(strict.createUser({ extension: { desk: 'A1' } })).rejects.toMatchObject(taken);
  await strict.updateUser(other.user_id, { extension: { desk: '' } });
  await strict.createUser({ extension: { desk: 'A1' } });
});

test('values that a service without the rule writes later are reserved at the next start', async () => {
  const database = await lastingDatabase();
  const { client: loose } = await startTestService({ database, tenants: [desk()] });
  await loose.createUser({ user_name: 'ann', extension: { desk: 'A1' } });
  const { user_id } = await loose.createUser({ user_name: 'bea' });
  await startTestService({ database, tenants: [desk({ unique: true })] });
  await loose.createUser({ extension: { desk: 'B2' } });
  await loose.updateUser(user_id, { extension: { desk: 'C3' } });
  const { client: strict } = await startTestService({ database });
  for (const value of ['A1', 'B2', 'C3'])
    await expect(strict.createUser({ extension: { desk: value } })).rejects.toMatchObject(taken);
});

test('the values of large users are reserved, and at the start each of these users is read by itself', async () => {
  const database = await keptDatabase();
  const before = await startTestService({ database, tenants: [desk()] });
  const head_img = `data:image/png;base64,${'A'.repeat(200_000)}`;
  for (const value of ['1', '2', '3'])
    await before.client.createUser({ head_img, extension: { desk: value } });
  let largest = 0;
  const measured: Database = {
    ...database,
    async query<Row>(...asked: Parameters<Database['query']>) {
      const rows = await database.query<Row>(...asked);
      largest = Math.max(largest, JSON.stringify(rows).length);
      return rows;
    },
  };
  const { client } = await startTestService({ database: measured, tenants: [desk({ unique: true })] });
  expect(largest).toBeLessThan(2 * head_img.length);
  for (const value of ['1', '2', '3'])
    await expect(client.createUser({ extension: { desk: value } })).rejects.toMatchObject(taken);
});

test('the values of many stored users are reserved, for the user created first', async () => {
  const database = await keptDatabase();
  await startTestService({ database, tenants: [desk()] });
  await insertUsers(database, 2100, (number) => ({ extension: { desk: `${number % 2099}` } }));
  const { client } = await startTestService({ database, tenants: [desk({ unique: true })] });
  for (const value of ['0', '999', '1000', '2098'])
    await expect(client.createUser({ extension: { desk: value } })).rejects.toMatchObject(taken);
  await client.createUser({ extension: { desk: '2099' } });
});
