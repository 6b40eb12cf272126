import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTime, isDay, parseTime } from '../../src/contract/time.ts';

const zones = [
  'UTC',
  'Asia/Shanghai',
  'Europe/Berlin',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Asia/Kolkata',
];
const zone = fc.constantFrom(...zones);
const second = fc
  .integer({ min: Date.UTC(1971, 0) / 1000, max: Date.UTC(2099, 0) / 1000 })
  .map((seconds) => seconds * 1000);

test('a time is written and read in UTC', () => {
  expect(formatTime(1_643_168_337_263)).toBe('2022-01-26 03:38:57');
  expect(parseTime('2022-01-26 03:38:57')).toBe(1_643_168_337_000);
});

test('a time is written and read in a time zone', () => {
  expect(formatTime(1_643_168_337_263, 'Asia/Shanghai')).toBe('2022-01-26 11:38:57');
  expect(parseTime('2022-01-26 11:38:57', 'Asia/Shanghai')).toBe(1_643_168_337_000);
});

test('midnight is 00:00:00 in every time zone', () => {
  expect(formatTime(Date.UTC(2022, 0, 25, 16), 'Asia/Shanghai')).toBe('2022-01-26 00:00:00');
});

test('the summer time of a zone is known', () => {
  expect(parseTime('2024-07-01 12:00:00', 'Europe/Berlin')).toBe(Date.UTC(2024, 6, 1, 10));
  expect(parseTime('2024-01-01 12:00:00', 'Europe/Berlin')).toBe(Date.UTC(2024, 0, 1, 11));
  expect(parseTime('2024-03-31 01:59:59', 'Europe/Berlin')).toBe(Date.UTC(2024, 2, 31, 0, 59, 59));
  expect(parseTime('2024-03-31 03:00:00', 'Europe/Berlin')).toBe(Date.UTC(2024, 2, 31, 1));
});

test('if a local time occurs twice in a zone, the earlier one is used', () => {
  expect(parseTime('2024-10-27 02:30:00', 'Europe/Berlin')).toBe(Date.UTC(2024, 9, 27, 0, 30));
  expect(formatTime(Date.UTC(2024, 9, 27, 1, 30), 'Europe/Berlin')).toBe('2024-10-27 02:30:00');
});

test('a local time that does not exist in a zone is rejected', () => {
  expect(parseTime('2024-03-31 02:30:00', 'Europe/Berlin')).toBeUndefined();
  expect(parseTime('2024-03-31 02:30:00')).toBe(Date.UTC(2024, 2, 31, 2, 30));
});

test('a text that was written is read as the same text', () => {
  fc.assert(
    fc.property(second, zone, (time, name) => {
      const text = formatTime(time, name);
      const back = parseTime(text, name);
      // A local time that occurs twice is read as the earlier of the two.
      expect(back === time || back === time - 3_600_000).toBe(true);
      expect(formatTime(back ?? Number.NaN, name)).toBe(text);
    }),
  );
});

test('in UTC a time is written as in ISO 8601, in every year of four digits', () => {
  const [min, max] = [new Date('0000-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59.999Z')];
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
      expect(formatTime(date.getTime())).toBe(date.toISOString().slice(0, 19).replace('T', ' '));
    }),
  );
});

test('a time that was just written in one zone is written correctly in another', () => {
  const time = Date.UTC(2022, 0, 25, 16);
  const written = ['UTC', 'Asia/Shanghai', 'UTC', 'Europe/Berlin'].map((name) => formatTime(time, name));
  expect(written).toEqual([
    '2022-01-25 16:00:00',
    '2022-01-26 00:00:00',
    '2022-01-25 16:00:00',
    '2022-01-25 17:00:00',
  ]);
});

test('in a zone without summer time, a text is read as the time that was written', () => {
  fc.assert(
    fc.property(second, (time) => {
      expect(parseTime(formatTime(time, 'Asia/Kolkata'), 'Asia/Kolkata')).toBe(time);
    }),
  );
});

test.each([
  '',
  '2022-01-26',
  '2022-01-26T03:38:57',
  '2022-01-26 03:38:57Z',
  ' 2022-01-26 03:38:57',
  '2022-1-26 3:38:57',
  '2022-01-26 03:38',
  '2022-01-26 03:38:57.0',
  '2022-02-30 00:00:00',
  '2022-13-01 00:00:00',
  '2022-00-10 00:00:00',
  '2022-01-26 24:00:00',
  '2022-01-26 03:60:00',
  '2022-01-26 03:38:60',
  '２０２２-01-26 03:38:57',
])('%j is not a time', (text) => {
  expect(zones.map((name) => parseTime(text, name))).toEqual(zones.map(() => undefined));
});

test('no text makes reading a time throw', () => {
  fc.assert(
    fc.property(fc.string(), zone, (text, name) => {
      const time = parseTime(text, name);
      expect(time === undefined || formatTime(time, name) === text).toBe(true);
    }),
  );
});

test.each(['2022-02-17', '2022-02-28', '2024-02-29', '1900-01-01', '0000-12-31', '9999-12-31'])(
  '%s is a day',
  (text) => {
    expect(isDay(text)).toBe(true);
  },
);

test.each([
  '',
  '2022-2-17',
  '2023-02-29',
  '1900-02-29',
  '2022-04-31',
  '2022-00-01',
  '2022-13-01',
  '2022-01-00',
  '2022-01-32',
  '2022-04-99',
  '2022/02/17',
  '2022-02-17 00:00:00',
  '17-02-2022',
])('%j is not a day', (text) => {
  expect(isDay(text)).toBe(false);
});
