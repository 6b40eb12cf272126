import { expect, test } from 'vitest';
import { comparison, figure } from '../../bench/rows.mjs';
import { tableLine } from '../../bench/table.mjs';

test('the ratio is the median of the ratios of all rounds, not the ratio of the medians', () => {
  const row = comparison('calls', 'calls/s', [10, 20, 90], [10, 40, 100], { atLeast: 0.9 });
  expect(row).toEqual({
    what: 'calls',
    unit: 'calls/s',
    ours: 20,
    limit: 40,
    ratio: 0.9,
    goal: { atLeast: 0.9 },
    holds: true,
  });
});

test('a goal is compared with the figure if there is no ratio', () => {
  expect(figure('memory', 'MB', [100, 170, 180], { atMost: 160 })).toMatchObject({
    ratio: null,
    holds: false,
  });
  expect(figure('memory', 'MB', [100, 160, 180], { atMost: 160 })).toMatchObject({
    ratio: null,
    holds: true,
  });
});

test('a goal is missed if the ratio is not a number', () => {
  expect(comparison('calls', 'calls/s', [], [], { atMost: 3 })).toMatchObject({ holds: false });
});

test('a row without a goal only informs', () => {
  expect(figure('last', 's', [1.5])).not.toHaveProperty('holds');
});

test('a line of the table has the goal and whether it is reached', () => {
  const cells = (row: Parameters<typeof tableLine>[0]) => tableLine(row).split(/ {2,}/);
  const missed = comparison('a', 'rows/s', [1200], [4000], { atLeast: 0.5 });
  expect(cells(missed)).toEqual(['a', '1,200', '4,000', 'rows/s', '0.30', '≥ 0.5', 'NO']);
  expect(cells(figure('b', 'MB', [75.25], { atMost: 160 }))).toEqual(['b', '75.3', 'MB', '≤ 160', 'yes']);
});
