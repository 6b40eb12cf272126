import { expect, test } from 'vitest';
import { making } from './making.ts';

test.each([
  ['a digest of 28 digits with a salt', `${'0123456789abcdef'.repeat(2).slice(0, 28)}:salt`],
  ['an address with 10,000 dots', `ann@${'.'.repeat(10_000)}@`],
])('%s is looked at without going back over it again and again', async (_, value) => {
  const before = process.cpuUsage();
  await making(`user_name,email,note\nann,ann@example.org,${value}\n`);
  // The looks took 12 s and 1 s of processor time.
  expect(process.cpuUsage(before).user).toBeLessThan(500_000);
});
