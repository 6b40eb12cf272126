/** Finds how many calls in flight work best. Times in milliseconds. */
export interface ConcurrencyFinder {
  limit(): number;
  /** A call was answered after `latency`; `isFull`: as many were under way as the limit allows. */
  answered(time: number, latency: number, isFull: boolean): void;
  /** A call was not answered, or by a service that fails. */
  troubled(time: number): void;
}

const first = 8;
/** What most services handle well; above it, more calls must be seen to get more done. */
const usual = 32;
const most = 512;
/** Milliseconds until a trial that has failed is made again, at first. */
const firstInterval = 1000;
/** What twice as many calls must get done more. */
const gain = 1.05;

/**
 * Doubles up to 32, then as long as more calls in flight get more done: a trial that gains too little is undone, and the
 * next one waits longer. Fewer are sent when latency doubles while less gets done, and when calls fail.
 */
export function createConcurrencyFinder(): ConcurrencyFinder {
  let limit = first;
  /** Where the limit goes back to, two at a time, after it was lowered. */
  let stable = first;
  let start: number | undefined;
  let answers = 0;
  let fullAnswers = 0;
  let latencies = 0;
  /** Running figures at the stable limit. */
  let usualLatency = 0;
  let usualSpeed = 0;
  let trial: { from: number; speed: number } | undefined;
  let recent: number[] = [];
  let nextTrial = 0;
  let trialInterval = firstInterval;
  let trouble = 0;

  /** Answers count from then on. */
  function begin(time: number): void {
    start = time;
    answers = 0;
    fullAnswers = 0;
    latencies = 0;
  }

  function judge(speed: number, latency: number, isFull: boolean, time: number): number {
    if (trial) {
      const { from } = trial;
      const isBetter = speed >= trial.speed * gain;
      trial = undefined;
      if (isBetter) {
        recent = [speed];
        stable = limit;
        trialInterval = firstInterval;
        return startTrial(speed);
      }
      nextTrial = time + trialInterval;
      trialInterval = Math.min(trialInterval * 2, 60_000);
      return from;
    }
    if (limit < stable) return Math.min(limit + Math.max(2, Math.floor(limit / 8)), stable);
    const isWorse = usualSpeed > 0 && latency > 2 * usualLatency && speed < usualSpeed * 0.75;
    usualLatency += (latency - usualLatency) * (usualLatency === 0 ? 1 : 0.1);
    usualSpeed += (speed - usualSpeed) * (usualSpeed === 0 ? 1 : 0.1);
    if (isWorse) return Math.max(Math.floor(limit * 0.75), 4);
    if (!isFull) return limit;
    recent = [...recent.slice(-2), speed];
    if (limit < usual) {
      usualSpeed = 0;
      usualLatency = 0;
      stable = Math.min(limit * 2, usual);
      return stable;
    }
    return time < nextTrial ? limit : startTrial(Math.max(...recent));
  }

  /** The limit of a trial; `speed`: what is to be exceeded. */
  function startTrial(speed: number): number {
    if (stable === most) return most;
    trial = { from: stable, speed };
    return Math.min(stable * 2, most);
  }

  return {
    limit: () => limit,
    answered(time, latency, isFull) {
      trouble *= 0.98;
      start ??= time - latency;
      if (time < start) return;
      answers += 1;
      latencies += latency;
      if (isFull) fullAnswers += 1;
      const elapsed = time - start;
      const isLong = elapsed >= (limit < usual ? 100 : 250);
      if (!isLong || answers < 2 * limit) return;
      const mean = latencies / answers;
      const before = limit;
      limit = judge((answers * 1000) / elapsed, mean, fullAnswers * 2 > answers, time);
      // Answers to what was sent under the old limit do not count.
      begin(limit === before ? time : time + mean);
    },
    troubled(time) {
      trouble = trouble * 0.98 + 0.02;
      if (trouble < 0.1) return;
      trouble = 0;
      limit = Math.max(Math.floor((trial?.from ?? limit) / 2), 1);
      trial = undefined;
      begin(time);
    },
  };
}
