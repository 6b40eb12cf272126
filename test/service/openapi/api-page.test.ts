import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { companions, operations } from '../../../src/contract/operations.ts';
import { findChromium } from '../../find-chromium.ts';
import { startTestService } from '../../test-service.ts';
import { isPostgres } from '../storage/temporary-database.ts';

test('the page and all that it names come from the service, and its policy allows nothing else', async () => {
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

const chromium = findChromium();

test.skipIf(chromium === undefined || isPostgres)(
  'a browser without a network shows every operation and has nothing to complain of',
  { timeout: 60_000 },
  async () => {
    const { baseUrl } = await startTestService({ docs: true });
    const profile = await mkdtemp(join(tmpdir(), 'tenant-users-browser-'));
    onTestFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
    const { stdout, stderr } = await promisify(execFile)(
      chromium ?? '',
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        `--user-data-dir=${profile}`,
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
        '--enable-logging=stderr',
        '--virtual-time-budget=15000',
        '--dump-dom',
        `${baseUrl}/docs`,
      ],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    for (const { url } of Object.values({ ...operations, ...companions })) {
      expect(stdout).toContain(`data-path="${url.replace(':user_id', '{user_id}')}"`);
    }
    expect(stderr.split('\n').filter((line) => line.includes('CONSOLE'))).toEqual([]);
  },
);
