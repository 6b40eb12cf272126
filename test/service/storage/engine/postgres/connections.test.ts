import { Client } from 'pg';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../../src/service/storage/engine/postgres/postgres.ts';
import type { StoreError } from '../../../../../src/service/storage/engine/store-error.ts';
import { startTestService } from '../../../../test-service.ts';
import { temporaryDatabase } from '../../temporary-database.ts';

test('with several hosts, the next one is tried when one does not answer', async () => {
  const url = await temporaryDatabase();
  const database = await openPostgres(url.replace('@', '@127.0.0.1:1,%2Fnowhere,'));
  onTestFinished(() => database.close());
  expect(await database.query('SELECT 1 AS one', [])).toEqual([{ one: 1 }]);
});

test('if no host can be written to, the start fails and says so', async () => {
  const url = await temporaryDatabase();
  const admin = new Client(url);
  await admin.connect();
  await admin.query(`ALTER DATABASE ${admin.database} SET default_transaction_read_only = on`);
  await admin.end();
  await expect(openPostgres(`${url}?target_session_attrs=read-write`)).rejects.toThrow(
    'the server cannot be written to',
  );
});

test('while the server takes no changes, callers are asked to retry later, and the service is not ready', async () => {
  const url = await temporaryDatabase();
  const service = await startTestService({ database: url });
  const admin = new Client(url);
  await admin.connect();
  onTestFinished(() => admin.end());
  const setReadOnly = (value: 'on' | 'off') =>
    admin.query(`ALTER DATABASE ${admin.database} SET default_transaction_read_only = ${value};
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`);
  const readiness = async () => {
    const { statusCode, body } = await request(`${service.baseUrl}/readyz`);
    return [statusCode, await body.json()];
  };
  await service.client.createUser({ user_name: 'ann' });
  await setReadOnly('on');
  await expect(service.client.createUser({ user_name: 'bob' })).rejects.toMatchObject({ status: 503 });
  expect(await readiness()).toEqual([503, { status: 'database cannot be written to' }]);
  expect(new Set(service.reports.splice(0).map((one) => (one as StoreError).code))).toEqual(
    new Set(['NOT_CONNECTED']),
  );
  await setReadOnly('off');
  expect(await readiness()).toEqual([200, { status: 'ready' }]);
  await service.client.createUser({ user_name: 'bob' });
});

test('while all connections are in use, callers are asked to retry later', async () => {
  const url = await temporaryDatabase();
  const service = await startTestService({ database: `${url}?connect_timeout=1`, poolSize: 1 });
  const { user_id } = await service.client.createUser({ user_name: 'ann' });
  const { access_token } = await service.client.obtainToken();
  const admin = new Client(url);
  await admin.connect();
  await admin.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
  const find = () =>
    request(`${service.baseUrl}/api/v2/tenant/users/${user_id}`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
  const first = find();
  await waitForLock(admin);
  const { statusCode, headers, body } = await find();
  expect({ statusCode, retry: headers['retry-after'], body: await body.json() }).toEqual({
    statusCode: 503,
    retry: '1',
    body: { error_msg: 'System busy, please try again later', error_code: 'SVC.TENANT.COM.0002' },
  });
  expect(service.reports.splice(0)).toEqual([
    expect.objectContaining({ code: 'NOT_CONNECTED', message: 'all connections of the pool are in use' }),
  ]);
  await admin.query('COMMIT');
  await admin.end();
  expect((await first).statusCode).toBe(200);
});

test('a service stops after its drain although a query waits for a lock', async () => {
  const url = await temporaryDatabase();
  const service = await startTestService({ database: url, timeouts: { drain: 50 } });
  const { user_id } = await service.client.createUser({ user_name: 'ann' });
  const admin = new Client(url);
  await admin.connect();
  onTestFinished(() => admin.end());
  await admin.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
  const cutOff = expect(service.client.getUser(user_id)).rejects.toThrow();
  await waitForLock(admin);
  await service.close();
  await cutOff;
  expect(service.reports.splice(0)).toEqual([
    expect.objectContaining({ message: 'Connection terminated unexpectedly' }),
  ]);
});

async function waitForLock(admin: Client): Promise<void> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await admin.query(sql)).rowCount === 0);
}
