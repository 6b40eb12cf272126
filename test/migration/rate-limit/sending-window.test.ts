import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTime, formatWithOffset } from '../../../src/contract/time.ts';
import {
  describeWindow,
  endOf,
  type SendingWindow,
  stretchAt,
} from '../../../src/migration/rate-limit/sending-window.ts';

const hour = 60;
const night: SendingWindow = { from: 22 * hour, to: 5 * hour, zone: 'Europe/Berlin' };
const day: SendingWindow = { ...night, from: 9 * hour, to: 17 * hour };

/** The next opening and closing for a time that has an offset, as local times. */
function shown(window: SendingWindow, time: string): string[] {
  const { opens, closes } = stretchAt(window, Date.parse(time));
  return [opens, closes].map((one) => formatWithOffset(one, window.zone));
}

test.each<[string, SendingWindow, string, string, string]>([
  ['open by day', day, '2026-11-23T09:00:00+01:00', '2026-11-23T09:00:00+01:00', '2026-11-23T17:00:00+01:00'],
  ['over by day', day, '2026-11-23T17:00:00+01:00', '2026-11-24T09:00:00+01:00', '2026-11-24T17:00:00+01:00'],
  ['before it', night, '2026-11-23T21:59:59+01:00', '2026-11-23T22:00:00+01:00', '2026-11-24T05:00:00+01:00'],
  [
    'after midnight',
    night,
    '2026-11-24T04:59:00+01:00',
    '2026-11-23T22:00:00+01:00',
    '2026-11-24T05:00:00+01:00',
  ],
  ['over', night, '2026-11-24T05:00:00+01:00', '2026-11-24T22:00:00+01:00', '2026-11-25T05:00:00+01:00'],
  // The night of 29 March has no hour from 2:00 to 3:00, that of 25 October has it twice.
  [
    'into summer',
    night,
    '2026-03-28T23:00:00+01:00',
    '2026-03-28T22:00:00+01:00',
    '2026-03-29T05:00:00+02:00',
  ],
  [
    'out of summer',
    night,
    '2026-10-24T23:00:00+02:00',
    '2026-10-24T22:00:00+02:00',
    '2026-10-25T05:00:00+01:00',
  ],
  [
    'of the next day, which is short',
    day,
    '2026-03-28T23:30:00+01:00',
    '2026-03-29T09:00:00+02:00',
    '2026-03-29T17:00:00+02:00',
  ],
  [
    'of a long day',
    day,
    '2026-10-25T00:30:00+02:00',
    '2026-10-25T09:00:00+01:00',
    '2026-10-25T17:00:00+01:00',
  ],
  [
    'beginning in the missing hour',
    { ...night, from: 2 * hour + 30, to: 4 * hour },
    '2026-03-29T00:00:00+01:00',
    '2026-03-29T03:00:00+02:00',
    '2026-03-29T04:00:00+02:00',
  ],
  [
    'all in the missing hour: not on that day',
    { ...night, from: 2 * hour + 10, to: 2 * hour + 50 },
    '2026-03-29T00:00:00+01:00',
    '2026-03-30T02:10:00+02:00',
    '2026-03-30T02:50:00+02:00',
  ],
  [
    'in the hour that comes twice: the first',
    { ...night, from: 2 * hour, to: 2 * hour + 30 },
    '2026-10-25T01:00:00+02:00',
    '2026-10-25T02:00:00+02:00',
    '2026-10-25T02:30:00+02:00',
  ],
  [
    'until midnight',
    { ...night, from: 20 * hour, to: 24 * hour },
    '2026-11-23T23:59:59+01:00',
    '2026-11-23T20:00:00+01:00',
    '2026-11-24T00:00:00+01:00',
  ],
])('a sending window: %s', (_case, window, time, opens, closes) => {
  expect(shown(window, time)).toEqual([opens, closes]);
});

test('for any time, the next opening is the nearest one, has not ended, and has the local times of the window', () => {
  const year = Date.parse('2026-01-01T00:00:00Z');
  const windows = fc.record({
    from: fc.integer({ min: 0, max: 24 * hour - 1 }),
    to: fc.integer({ min: 0, max: 24 * hour }),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Shanghai'),
  });
  fc.assert(
    fc.property(windows, fc.integer({ min: 0, max: 365 * 86_400_000 }), (window, after) => {
      fc.pre(window.from !== window.to);
      const time = year + after;
      const { opens, closes } = stretchAt(window, time);
      expect(closes).toBeGreaterThan(Math.max(opens, time));
      // A night with the change to summer time may have no window.
      expect(opens - time).toBeLessThanOrEqual(49 * 3_600_000);
      expect(stretchAt(window, Math.max(opens, time))).toEqual({ opens, closes });
      if (opens > time) expect(stretchAt(window, opens - 1)).toEqual({ opens, closes });
      const wall = formatTime(opens, window.zone).slice(11, 16);
      const changes =
        formatWithOffset(opens - 7_200_000, window.zone).slice(19) !==
        formatWithOffset(opens, window.zone).slice(19);
      if (!changes) expect(wall).toBe(describeWindow(window).slice(0, 5));
    }),
    { numRuns: 300 },
  );
});

test('a given time of sending ends when the windows have had room for it', () => {
  const from = Date.parse('2026-11-23T18:00:00+01:00');
  const ends = (seconds: number) => {
    const { end, openings } = endOf(seconds, { now: from, window: night });
    return [formatWithOffset(end, night.zone), openings];
  };
  expect(ends(0)).toEqual(['2026-11-23T22:00:00+01:00', 1]);
  expect(ends(3600)).toEqual(['2026-11-23T23:00:00+01:00', 1]);
  expect(ends(7 * 3600)).toEqual(['2026-11-24T05:00:00+01:00', 1]);
  expect(ends(7 * 3600 + 60)).toEqual(['2026-11-24T22:01:00+01:00', 2]);
  expect(ends(30 * 3600)).toEqual(['2026-11-28T00:00:00+01:00', 5]);
  const inside = Date.parse('2026-11-24T04:00:00+01:00');
  expect(endOf(1800, { now: inside, window: night })).toEqual({
    end: inside + 1_800_000,
    openings: 1,
  });
});

test('a window is printed with its time zone', () => {
  expect(describeWindow(night)).toBe('22:00-05:00 (Europe/Berlin)');
});
