import { expect, test } from 'vitest';
import { describeForecast } from '../../../src/cli/output/forecast.ts';

const pace = {
  source: 'import',
  measured_at: '2026-11-24 10:00:00',
  slowest: 40,
  likely: 46,
  fastest: 50,
  limit: null,
  in_flight: 2,
} as const;
const at = '2026-11-24T10:00:00.000Z';

test.each([
  [{ low: 0.1, likely: 0.2, high: 0.4 }, 'This takes less than a second ('],
  [{ low: 0.1, likely: 0.9, high: 2 }, 'This takes about 0:01, between 0:00 and 0:02 ('],
  [{ low: 90, likely: 100, high: 120 }, 'This takes about 1:40, between 1:30 and 2:00 ('],
])('the forecast of %j is described in words', (seconds, said) => {
  const forecast = { pace, seconds, ends_at: { low: at, likely: at, high: at }, window: null };
  expect(describeForecast(forecast)).toBe(`${said}the pace of 2026-11-24, 46 requests/s).`);
});
