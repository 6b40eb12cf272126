import { expect, test } from 'vitest';
import { companions, operations } from '../../../src/contract/operations.ts';
import { chromium, openInBrowser } from '../../browser.ts';
import { startTestService } from '../../test-service.ts';

test('the service itself serves the page and everything that it loads, and its policy allows nothing else', async () => {
  const { request } = await startTestService({ docs: true });
  const { status, headers, body } = await request<string>('GET', '/docs', { token: null });
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/html/);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  const named = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((address) => !address.startsWith('/docs/static/'))).toEqual([]);
  const replies = await Promise.all(named.map((address) => request('GET', address, { token: null })));
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
});

test('the page shows the document of the service', async () => {
  const { request } = await startTestService({ docs: true });
  const open = { token: null };
  const [shown, served] = await Promise.all([
    request('GET', '/docs/json', open),
    request('GET', '/openapi.json', open),
  ]);
  expect(shown.body).toEqual(served.body);
});

test.skipIf(chromium === undefined)(
  'a browser without a network shows every operation and reports no error',
  { timeout: 60_000 },
  async () => {
    const { baseUrl } = await startTestService({ docs: true });
    const { page, console } = await openInBrowser(
      `${baseUrl}/docs`,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    );
    for (const { url } of Object.values({ ...operations, ...companions })) {
      expect(page).toContain(`data-path="${url.replace(':user_id', '{user_id}')}"`);
    }
    expect(console).toEqual([]);
  },
);
