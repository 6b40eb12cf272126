import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { keptDatabase } from './test-database.ts';

test('expired tokens are deleted every minute, so that few are deleted at a time', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const database = await keptDatabase();
  let time = Date.UTC(2026, 0, 1);
  const { client, tenants } = await startTestService({ database, now: () => time });
  await client.obtainToken();
  const tokens = () => database.query('SELECT 1 AS token FROM tokens', []);
  expect(await tokens()).toHaveLength(tenants.length);
  time += 1_800_000;
  vi.advanceTimersByTime(60_000);
  await expect.poll(tokens).toEqual([]);
});
