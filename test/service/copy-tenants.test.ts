import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { createApplication, listApplications } from '../../src/service/admin/applications.ts';
import { copyTenants, requireEmptyDatabase, requireTenant } from '../../src/service/admin/copy-tenants.ts';
import { applyDefinition, effectiveDefinitions } from '../../src/service/admin/definitions.ts';
import { defaultTenant } from '../../src/service/tenant/default-tenant.ts';
import { device, startTestService } from '../test-service.ts';
import { temporaryDatabase, temporaryFile } from './storage/temporary-database.ts';

const pwd = 'qwe123!@#';
const notFinished = /a copy into it was not finished/;

/** A database in which a service has stored something of everything, and then ended. */
async function startSource() {
  const database = temporaryFile();
  const service = await startTestService({ database });
  const { client } = service;
  await client.createUser({ user_name: 'ann', pwd, pwd_must_modify: false });
  await client.logIn('ann', pwd, device);
  return { database, service, client };
}

test('a service goes on with the copy of its database: people, passwords, applications and keys', async () => {
  const { database, service, client } = await startSource();
  const token = (await client.obtainToken()).access_token;
  const more = await createApplication(database, undefined, { name: 'HR', scope: 'all', now: Date.now() });
  const page = { offset: 0, limit: 100 };
  const before = await client.listUsers(page);
  await service.close();
  // More than are read at once.
  const source = new DatabaseSync(database);
  source.exec(`WITH RECURSIVE many (n) AS (SELECT 1 UNION SELECT n + 1 FROM many LIMIT 1234)
    INSERT INTO tokens SELECT 1, 'digest' || n, 'client', 0 FROM many`);
  source.close();
  const to = await temporaryDatabase();
  await requireEmptyDatabase(to);
  const progress: number[] = [];
  const copied = await copyTenants(database, to, (done, total) => progress.push(done / total));
  expect(copied.tenants).toEqual(['default']);
  expect(copied.rows).toBeGreaterThan(1234);
  expect(progress.at(-1)).toBe(1);
  await expect(requireEmptyDatabase(to)).rejects.toThrow(/to copy to is not empty/);

  const next = await startTestService({ database: to });
  expect(await next.client.listUsers(page)).toEqual(before);
  expect(await next.request('GET', '/api/v2/tenant/users?offset=0&limit=10', { token })).toMatchObject({
    status: 200,
  });
  await next.connect({ clientId: more.client_id, clientSecret: more.client_secret }).obtainToken();
  expect(await next.client.logIn('ann', pwd, device)).toMatchObject({ status: 'SUCCESS' });
  await next.client.createUser({ user_name: 'new' });
  await expect(next.client.createUser({ user_name: 'ann' })).rejects.toThrow();
  expect((await next.client.listUsers(page)).total).toBe(2);
});

const ofTenants = `UPDATE tenants SET claimed = '{"a":0}'`;

test.each<[string, string, number]>([
  ['of its users', "UPDATE users SET profile = '{}'", 1],
  ['of its users, after they were compared', 'UPDATE numbers SET changed = changed + 1', 0],
  ['of its tenants', ofTenants, 0],
  ['of its applications, after they were compared', 'DELETE FROM applications', 0],
  ['of its sessions, after they were compared', 'DELETE FROM grants', 0],
])(
  'a database that changes while it is copied (one %s) is not called a copy, and not served',
  async (_, change, left) => {
    const { database, service } = await startSource();
    await service.close();
    await createApplication(database, undefined, { name: 'HR', scope: 'all', now: Date.now() });
    const source = new DatabaseSync(database);
    const to = await temporaryDatabase();
    const copying = copyTenants(database, to, (done, total) => {
      // The row of the tenant comes last.
      if (done === total - left) source.exec(change);
    });
    await expect(copying).rejects.toThrow(/was changed while it was copied/);
    source.close();
    await expect(startTestService({ database: to })).rejects.toThrow(notFinished);
  },
);

test.each<[string, (done: number, total: number) => boolean]>([
  ['after its first rows', (done) => done > 0],
  ['in the middle', (done, total) => done >= total / 2],
  ['before the row of its tenant', (done, total) => done === total - 1],
])('nothing is done with a copy that was cut off %s, but to say so', async (_, isCutOff) => {
  const { database, service } = await startSource();
  await service.close();
  const to = await temporaryDatabase();
  const copying = copyTenants(database, to, (done, total) => {
    if (isCutOff(done, total)) throw new Error('cut off');
  });
  await expect(copying).rejects.toThrow('cut off');
  await expect(startTestService({ database: to })).rejects.toThrow(notFinished);
  await expect(applyDefinition(to, defaultTenant)).rejects.toThrow(notFinished);
  await expect(effectiveDefinitions(to)).rejects.toThrow(notFinished);
  await expect(listApplications(to, undefined, 0)).rejects.toThrow(notFinished);
  await expect(requireTenant(to)).rejects.toThrow(notFinished);
});
