import type { Pace } from '../model/forecast.ts';
import type { RateSample } from './history.ts';

/** Limits with which a run starts. */
export interface StartingPace {
  /** Requests per second; `Infinity` if there is no limit. */
  rate: number;
  concurrency: number;
}

/** Shorter runs (in seconds) and fewer answers are not enough to measure a pace. */
const shortest = 2;
const enoughAnswers = 100;
const parts = 10;

/** Seconds without an answer from which on failed calls are an outage. */
const shortestOutage = 3;

/** Leaves out outages, which say nothing about the pace of a tenant. One that throttles is not out of service. */
function withoutOutages(history: readonly RateSample[]): RateSample[] {
  const kept: RateSample[] = [];
  let silent: RateSample[] = [];
  const keep = () => {
    const seconds = silent.reduce((sum, sample) => sum + sample.seconds, 0);
    if (seconds < shortestOutage || silent.every(({ failed }) => failed === 0)) kept.push(...silent);
    silent = [];
  };
  for (const sample of history) {
    if (sample.answered + sample.throttled === 0) silent.push(sample);
    else {
      keep();
      kept.push(sample);
    }
  }
  keep();
  return kept;
}

/** Returns the pace of a run; `undefined` if the run was too short or had too few answers. */
export function measurePace(whole: readonly RateSample[], fewestAnswers = enoughAnswers): Pace | undefined {
  const history = withoutOutages(whole);
  const last = history.at(-1);
  const seconds = history.reduce((sum, sample) => sum + sample.seconds, 0);
  const answered = history.reduce((sum, sample) => sum + sample.answered, 0);
  if (!last || seconds < shortest || answered < fewestAnswers) return undefined;
  const count = Math.min(parts, history.length);
  const size = Math.floor(history.length / count);
  const speeds = Array.from({ length: count }, (_, part) => {
    const of = history.slice(part * size, (part + 1) * size);
    return of.reduce((sum, sample) => sum + sample.answered, 0) / (size * last.seconds);
  });
  return {
    slowest: Math.min(...speeds),
    likely: answered / seconds,
    fastest: Math.max(...speeds),
    limit: last.rate,
    in_flight: last.concurrency,
  };
}

const day = 86_400_000;
const oldest = 30;

/** True if a pace measured this many milliseconds ago is too old to be used. */
export function isOld(age: number): boolean {
  return age > oldest * day;
}

/**
 * Returns the limits to start with, given a pace that was measured `age` milliseconds ago: 5 % below its rate limit, 1 % less for
 * each day since, and half of its requests in flight; both are raised again within seconds. `undefined` after 30 days.
 */
export function startingPace({ limit, in_flight: found }: Pace, age: number): StartingPace | undefined {
  if (isOld(age)) return undefined;
  const days = Math.max(age, 0) / day;
  const rate = limit === null ? Infinity : limit * (0.95 - days / 100);
  return { rate, concurrency: Math.max(Math.floor(found / 2), 1) };
}
