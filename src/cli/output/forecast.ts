import type { Range } from '../../migration/forecast/forecast-time.ts';
import type { Forecast, Pace } from '../../migration/model/forecast.ts';
import { formatCount, formatRate } from '../../text/format-count.ts';
import { timeOf, withoutSeconds } from './progress.ts';

/** Formats a range of durations: `about 1:40, between 1:30 and 2:00`. */
function describeSeconds({ low, likely, high }: Range<number>): string {
  if (high < 1) return 'less than a second';
  return `about ${timeOf(likely)}, between ${timeOf(low)} and ${timeOf(high)}`;
}

export function describeLimit(limit: Pace['limit']): string {
  return limit === null ? 'no limit met' : `limit about ${formatRate(limit)}/s`;
}

export function describePace({ source, measured_at, likely, limit }: NonNullable<Forecast['pace']>): string {
  const speed = `${formatRate(likely)} requests/s`;
  if (source === 'import') return `the pace of ${measured_at.slice(0, 10)}, ${speed}`;
  return `look-ups just now, ${speed}, ${describeLimit(limit)}`;
}

type ShownForecast = Pick<Forecast, 'pace' | 'seconds' | 'ends_at' | 'window'>;

/** Says in a sentence or two how long an import takes; `undefined` if no pace is known. */
export function describeForecast({ pace, seconds, ends_at: ends, window }: ShownForecast) {
  if (!pace || !seconds || !ends) return undefined;
  const takes = `This takes ${describeSeconds(seconds)} (${describePace(pace)}).`;
  if (!window?.openings) return takes;
  const { likely, low, high } = window.openings;
  const range = low === high ? '' : `, between ${formatCount(low)} and ${formatCount(high)}`;
  return `${takes} If started now, it ends about ${withoutSeconds(ends.likely)}, ${unitOf(window) === 'night' ? 'in' : 'on'} ${formatCount(likely, unitOf(window))}${range}, from ${window.from} to ${window.to} (${window.zone}).`;
}

/** The unit in which openings of a window are counted: `night` if it spans midnight, else `day`. */
function unitOf({ from, to }: { from: string; to: string }): string {
  return to <= from ? 'night' : 'day';
}

/** The three cases of a forecast: what they are called, and which value of each range belongs to them. */
const cases = [
  { words: 'at best', time: 'low', speed: 'high' },
  { words: 'most likely', time: 'likely', speed: 'likely' },
  { words: 'at worst', time: 'high', speed: 'low' },
] as const;

/** The rows of the table for people: the three cases, or usual limits if no pace is known. */
export function tableOfForecast(forecast: Forecast): Record<string, string>[] {
  const { seconds, ends_at: ends, requests_per_second: speeds, window, usual } = forecast;
  const unit = window ? `${unitOf(window)}s` : '';
  const withOpenings = (openings: number | null | undefined) =>
    window && openings ? { [unit]: formatCount(openings) } : {};
  if (!seconds || !ends || !speeds) {
    return usual.map(({ requests_per_second: speed, seconds: takes, ends_at: end, openings }) => ({
      'requests/s': formatCount(speed),
      takes: timeOf(takes),
      ends: withoutSeconds(end),
      ...withOpenings(openings),
    }));
  }
  return cases.map(({ words, time, speed }) => ({
    forecast: words,
    'requests/s': formatRate(speeds[speed]),
    takes: timeOf(seconds[time]),
    ends: withoutSeconds(ends[time]),
    ...withOpenings(window?.openings?.[time]),
  }));
}
