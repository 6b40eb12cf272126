import { expect, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';

const users = '/api/v2/tenant/users';

test('requests are counted by operation, status and code, never by user or tenant', async () => {
  const { client, request, metricsUrl } = await startTestService({ metrics: { port: 0 } });
  const { user_id } = await client.createUser({ user_name: 'ann-of-the-metrics' });
  await client.getUser(user_id);
  await client.getUser(user_id);
  await request('GET', `${users}/nobody`);
  await request('GET', `${users}/nobody`, { token: 'unknown' });
  await request('GET', '/nowhere?secret=1', { token: null });

  const reply = await fetch(metricsUrl ?? '');
  const body = await reply.text();
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = body.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'tenant_users_request_duration_seconds_count{operation="createUser",status="200"} 1',
      'tenant_users_request_duration_seconds_count{operation="getUser",status="200"} 2',
      'tenant_users_request_duration_seconds_count{operation="getUser",status="400"} 2',
      'tenant_users_request_duration_seconds_bucket{le="+Inf",operation="none",status="404"} 1',
      'tenant_users_api_errors_total{operation="getUser",error_code="SVC.TENANT.USER.0001"} 1',
      'tenant_users_api_errors_total{operation="getUser",error_code="invalid_token"} 1',
      'tenant_users_api_errors_total{operation="none",error_code="SVC.TENANT.COM.0004"} 1',
      'tenant_users_requests_in_flight 0',
    ]),
  );
  expect(body).toMatch(/^process_resident_memory_bytes \d+/m);
  for (const value of ['ann-of', user_id, 'nobody', 'nowhere', 'secret']) expect(body).not.toContain(value);
});

test('two services of one process count separately', async () => {
  const first = await startTestService({ metrics: { port: 0 } });
  const second = await startTestService({ metrics: { port: 0 } });
  await first.client.listUsers({ offset: 0, limit: 10 });
  const body = await second.readMetrics();
  expect(body).toContain('tenant_users_requests_in_flight 0');
  expect(body).not.toContain('listUsers');
});

test('the metrics have a port of their own that serves nothing else and closes with the service', async () => {
  const service = await startTestService({ metrics: { port: 0 } });
  const { metricsUrl = '', baseUrl, request } = service;
  expect(new URL(metricsUrl).host).not.toBe(new URL(baseUrl).host);
  expect(await request('GET', '/metrics', { token: null })).toMatchObject(errorReply('noSuchEndpoint'));
  for (const path of ['/', '/healthz', users])
    expect((await fetch(new URL(path, metricsUrl))).status).toBe(404);
  expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(404);
  await service.close();
  await expect(fetch(metricsUrl)).rejects.toThrow('fetch failed');
});
