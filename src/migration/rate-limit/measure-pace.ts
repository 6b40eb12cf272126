import type { Pace } from '../model/forecast.ts';
import type { RateSample } from './history.ts';

/** What a run begins with. */
export interface StartingPace {
  /** Requests a second; `Infinity`: as many as will go. */
  rate: number;
  concurrency: number;
}

/** Shorter runs, in seconds, and fewer answers are no evidence. */
const shortest = 5;
const enoughAnswers = 100;
const parts = 10;

/** The pace of a run, or of its part that was long enough; `undefined` where it was too short. */
export function measurePace(history: readonly RateSample[], fewestAnswers = enoughAnswers): Pace | undefined {
  const last = history.at(-1);
  const seconds = history.reduce((sum, sample) => sum + sample.seconds, 0);
  const answered = history.reduce((sum, sample) => sum + sample.answered, 0);
  if (!last || seconds < shortest || answered < fewestAnswers) return undefined;
  const size = Math.floor(history.length / parts);
  const speeds = Array.from({ length: parts }, (_, part) => {
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

/** True for a pace that was measured so many milliseconds ago that it says nothing any more. */
export function isOld(age: number): boolean {
  return age > oldest * day;
}

/**
 * What a run begins with, by a pace that was measured so many milliseconds ago: 5 % below its limit, 1 % less for each day
 * since, and half of the requests in flight, from which both are tried again within seconds. After 30 days it says nothing.
 */
export function startingPace({ limit, in_flight: found }: Pace, age: number): StartingPace | undefined {
  if (isOld(age)) return undefined;
  const days = Math.max(age, 0) / day;
  const rate = limit === null ? Infinity : limit * (0.95 - days / 100);
  return { rate, concurrency: Math.max(Math.floor(found / 2), 1) };
}
