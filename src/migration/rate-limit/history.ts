/** What happened in one stretch of a run. */
export interface RateSample {
  /** Seconds since the run began, without those during which its window was closed or it had nothing to send. */
  at: number;
  /** Length of the stretch. */
  seconds: number;
  /** Calls that got an answer of the API. */
  answered: number;
  /** Calls that the service throttled (429). */
  throttled: number;
  /** Calls that failed. */
  failed: number;
  /** Calls in flight that were allowed at the end of the stretch. */
  concurrency: number;
  /** Calls per second that were allowed at the end of the stretch; `null` if there was no limit. */
  rate: number | null;
}

const most = 300;

/** Milliseconds from which on a rest is left out: shorter ones are the time that rows take to be read. */
const shortestRest = 1000;

/** Starts the history of a run. If it has too many samples, neighbors are merged; stretches are twice as long from then on. */
export function recordHistory(begun: number) {
  let started = begun;
  let seconds = 0.25;
  let samples: RateSample[] = [];
  /** Since when no call is in flight and none waits. */
  let restsSince: number | undefined = begun;

  function sampleAt(time: number, concurrency: number, rate: number): RateSample {
    let index = Math.floor((time - started) / 1000 / seconds);
    while (index >= most) {
      samples = merged(samples);
      seconds *= 2;
      index = Math.floor(index / 2);
    }
    while (samples.length <= index) {
      const at = samples.length * seconds;
      samples.push({ at, seconds, answered: 0, throttled: 0, failed: 0, concurrency, rate: null });
    }
    const sample = samples[index] as RateSample;
    sample.concurrency = concurrency;
    sample.rate = Number.isFinite(rate) ? rate : null;
    return sample;
  }

  return {
    note(time: number, what: 'answered' | 'throttled' | 'failed', concurrency: number, rate: number): void {
      sampleAt(time, concurrency, rate)[what] += 1;
    },
    /** No call is in flight from now on, and none waits: until requests of an earlier run have arrived, for example. */
    rest(time: number): void {
      restsSince = time;
    },
    /** A call is to be made. A long rest before it is left out, as it says nothing about the tenant. */
    wake(time: number): void {
      const rest = restsSince === undefined ? 0 : time - restsSince;
      if (rest >= shortestRest) started += rest;
      restsSince = undefined;
    },
    /** Leaves out the time of a closed window, which a rest may have begun before. */
    leaveOut(from: number, to: number): void {
      started += to - from;
      if (restsSince !== undefined) restsSince = Math.min(restsSince + to - from, to);
    },
    samples: (): readonly RateSample[] => samples,
  };
}

function merged(samples: readonly RateSample[]): RateSample[] {
  return samples.flatMap((one, index) => {
    if (index % 2 === 1) return [];
    const other = samples[index + 1] ?? { ...one, answered: 0, throttled: 0, failed: 0 };
    return {
      ...other,
      at: one.at,
      seconds: one.seconds * 2,
      answered: one.answered + other.answered,
      throttled: one.throttled + other.throttled,
      failed: one.failed + other.failed,
    };
  });
}

/** Milliseconds over which the rate is measured. */
const rateOver = 5000;

/** Returns a meter of the current rate: given the rows done so far, the rows per second of the last seconds. `begun`: rows done before. */
export function createMeter(now: () => number, begun: number): (done: number) => number {
  const points: { time: number; done: number }[] = [];
  let started = { time: now(), done: begun };
  return (done) => {
    const time = now();
    // If the clock was set back, the rate is measured again.
    if (time < (points.at(-1)?.time ?? started.time)) {
      points.length = 0;
      started = { time, done };
    }
    points.push({ time, done });
    while (points.length > 2 && time - (points[1]?.time ?? time) >= rateOver) points.shift();
    const first = points[0];
    const from = first && time - first.time >= 1000 ? first : started;
    return ((done - from.done) * 1000) / Math.max(time - from.time, 1);
  };
}
