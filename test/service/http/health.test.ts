import { rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { openTraffic } from '../../../src/service/http/draining.ts';
import { addHealth } from '../../../src/service/http/health.ts';
import { openSqlite } from '../../../src/service/storage/engine/sqlite/sqlite.ts';
import { startTestService } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';
import { errorReply } from '../api-errors.ts';

test('a running service is up and ready, and asks for no bearer token', async () => {
  const { request } = await startTestService();
  const open = { token: null };
  expect(await request('GET', '/healthz', open)).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await request('GET', '/readyz', open)).toMatchObject({ status: 200, body: { status: 'ready' } });
});

test('a service whose database does not answer is up but not ready, and reports why', async () => {
  const database = await openSqlite(':memory:');
  await database.close();
  const reports: unknown[] = [];
  const app = fastify();
  addHealth(app, { database, report: (error) => void reports.push(error) }, openTraffic(), () => true);
  const baseUrl = await app.listen({ port: 0 });
  onTestFinished(() => app.close());
  const ready = await fetch(`${baseUrl}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'database does not answer' }]);
  expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
  expect(reports).toHaveLength(1);
});

test('callers who ask at the same time whether the service is ready share one check of the database', async () => {
  const database = await openSqlite(':memory:');
  const waiting: (() => void)[] = [];
  const slow = {
    ...database,
    query: () => new Promise<never[]>((resolve) => waiting.push(() => resolve([{ ready: 1 } as never]))),
  };
  const app = fastify();
  addHealth(app, { database: slow, report: () => {} }, openTraffic(), () => true);
  onTestFinished(async () => {
    await app.close();
    await database.close();
  });
  const ask = async () => (await app.inject('/readyz')).json();
  for (const _ of ['first', 'second']) {
    const asked = Promise.all(Array.from({ length: 20 }, ask));
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    // By then all of them have arrived.
    await sleep(50);
    expect(waiting).toHaveLength(1);
    waiting.pop()?.();
    expect(await asked).toEqual(Array.from({ length: 20 }, () => ({ status: 'ready' })));
  }
});

test('a service whose database cannot be written to is not ready, and becomes ready when it can', async () => {
  const database = await openSqlite(':memory:');
  const app = fastify();
  addHealth(app, { database, report: () => {} }, openTraffic(), () => true);
  const baseUrl = await app.listen({ port: 0 });
  onTestFinished(async () => {
    await app.close();
    await database.close();
  });
  const ready = async () => {
    const reply = await fetch(`${baseUrl}/readyz`);
    return [reply.status, await reply.json()];
  };
  const write = () =>
    database.commit([{ sql: 'INSERT INTO numbers (tenant, seq, changed) VALUES (1, 0, 0)', values: [] }]);
  await database.query('PRAGMA query_only = ON', []);
  await expect(write()).rejects.toThrow('readonly database');
  expect(await ready()).toEqual([503, { status: 'database cannot be written to' }]);
  expect(await database.query('SELECT 1 AS one', [])).toEqual([{ one: 1 }]);
  await database.query('PRAGMA query_only = OFF', []);
  expect(await ready()).toEqual([200, { status: 'ready' }]);
  expect(await write()).toBe(true);
});

test('a service that cannot tell whether its database file is there is not ready, and reports why', async () => {
  const database = await openSqlite(':memory:');
  const reports: unknown[] = [];
  const denied = new Error('EACCES: permission denied, stat');
  const isLost = () => {
    throw denied;
  };
  const app = fastify();
  addHealth(
    app,
    { database: { ...database, isLost }, report: (error) => void reports.push(error) },
    openTraffic(),
    () => true,
  );
  onTestFinished(async () => {
    await app.close();
    await database.close();
  });
  const reply = await app.inject('/readyz');
  expect([reply.statusCode, reply.json()]).toEqual([503, { status: 'database does not answer' }]);
  expect(reports).toEqual([denied]);
});

test('a service whose database is damaged is not ready', async () => {
  const file = join(await temporaryDirectory(), 'tenant.db');
  const database = openSqlite(file);
  onTestFinished(() => database.close());
  await database.query('PRAGMA wal_checkpoint(TRUNCATE)', []);
  await database.query('PRAGMA cache_size = 0', []);
  const { size } = await stat(file);
  await writeFile(file, Buffer.alloc(size - 4096, 0xa5), { flag: 'r+', flush: true });
  const write = () =>
    database.commit([{ sql: 'INSERT INTO numbers (tenant, seq, changed) VALUES (1, 0, 0)', values: [] }]);
  await expect(write()).rejects.toThrow(/malformed|not a database/);
  expect(await database.canWrite?.()).toBe(false);
});

test('a service whose database file was deleted or replaced is not ready, since what it writes would be lost', async () => {
  const file = join(await temporaryDirectory(), 'tenant.db');
  const { baseUrl } = await startTestService({ database: file });
  const ready = async () => {
    const reply = await fetch(`${new URL(baseUrl).origin}/readyz`);
    return [reply.status, await reply.json()];
  };
  expect(await ready()).toEqual([200, { status: 'ready' }]);
  await rename(file, `${file}.old`);
  const lost = [503, { status: 'database file was deleted or replaced' }];
  expect(await ready()).toEqual(lost);
  await writeFile(file, '');
  expect(await ready()).toEqual(lost);
  await rename(`${file}.old`, file);
  expect(await ready()).toEqual([200, { status: 'ready' }]);
});

test.each(['/healthz', '/readyz', '/openapi.json', '/docs'])('%s accepts GET and HEAD only', async (path) => {
  const { request } = await startTestService({ docs: true });
  const reply = await request('POST', path, { token: null });
  expect(reply).toMatchObject(errorReply('methodNotAllowed'));
  expect(reply.headers.allow).toBe('GET, HEAD');
});

test('a database that does not answer is not ready, and is not asked again until it does', async () => {
  const database = await openSqlite(':memory:');
  const app = fastify();
  let asked = 0;
  const canWrite = () => {
    asked += 1;
    return new Promise<boolean>(() => {});
  };
  const silent = { ...database, canWrite };
  addHealth(app, { database: silent, report: () => {} }, openTraffic(), () => true);
  onTestFinished(async () => {
    await app.close();
    await database.close();
  });
  for (const _ of ['first', 'second']) {
    const reply = await app.inject('/readyz');
    expect([reply.statusCode, reply.json()]).toEqual([503, { status: 'database does not answer' }]);
  }
  expect(asked).toBe(1);
});
