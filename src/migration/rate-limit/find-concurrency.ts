const first = 8;
/** Concurrency that most services handle well; above it, more calls must be seen to increase the throughput. */
const usual = 32;
const most = 512;
/** Fewer answers are not enough for a measurement. */
const fewestAnswers = 20;
/** Milliseconds until a failed trial is repeated for the first time, because the failure may have been an accident. */
const firstInterval = 250;
/** Factor by which twice as many calls must increase the throughput. */
const gain = 1.05;
/** Milliseconds: a service that answers faster, even with twice as many calls, does not suffer from them. */
const quick = 100;
/** Factor that suffices if the service answers within `quick`. */
const quickGain = 0.85;

/**
 * Finds how many calls in flight work best; times in milliseconds. Doubles the limit up to 32 (from `initial`, if more is known of
 * the service), then for as long as that increases the throughput or the service still answers quickly: a measurement over a
 * quarter of a second hardly shows 5 %, and too few calls cost more than too many. A trial that gains too little is undone, and the
 * next one comes later. The limit is lowered when latency doubles while throughput falls, and when calls fail.
 */
export function createConcurrencyFinder(initial = first) {
  let limit = Math.min(initial, most);
  /** Limit to which a lowered limit returns, step by step. */
  let stable = limit;
  let start: number | undefined;
  let answers = 0;
  let fullAnswers = 0;
  let latencies = 0;
  /** Running averages at the stable limit. */
  let usualLatency = 0;
  let usualSpeed = 0;
  let trial: { from: number; speed: number; isQuick: boolean } | undefined;
  let recent: number[] = [];
  let nextTrial = 0;
  let trialInterval = firstInterval;
  let trouble = 0;

  /** Starts a measurement; earlier answers do not count. */
  function begin(time: number): void {
    start = time;
    answers = 0;
    fullAnswers = 0;
    latencies = 0;
  }

  function judge(speed: number, latency: number, isFull: boolean, time: number): number {
    if (trial) {
      const { from, speed: before, isQuick } = trial;
      const isBetter = speed >= before * (isQuick && latency < quick ? quickGain : gain);
      trial = undefined;
      if (isBetter) {
        recent = [speed];
        stable = limit;
        trialInterval = firstInterval;
        return startTrial(Math.max(speed, before), latency);
      }
      nextTrial = time + trialInterval;
      trialInterval = Math.min(trialInterval * 2, 60_000);
      return from;
    }
    const allowed = (2 * usualLatency) / latency;
    const isWorse = usualSpeed > 0 && allowed < 1 && speed < usualSpeed * 0.75;
    if (limit === stable) {
      usualLatency += (latency - usualLatency) * (usualLatency === 0 ? 1 : 0.1);
      usualSpeed += (speed - usualSpeed) * (usualSpeed === 0 ? 1 : 0.1);
    }
    if (isWorse) return Math.max(Math.floor(limit * Math.min(Math.max(allowed, 0.25), 0.75)), 4);
    if (limit < stable) return Math.min(limit + Math.max(2, Math.floor(limit / 8)), stable);
    if (!isFull) return limit;
    recent = [...recent.slice(-2), speed];
    if (limit < usual) {
      usualSpeed = 0;
      usualLatency = 0;
      stable = Math.min(limit * 2, usual);
      return stable;
    }
    return time < nextTrial ? limit : startTrial(Math.max(...recent), latency);
  }

  /** Starts a trial and returns its limit; `speed` is the throughput to be exceeded. */
  function startTrial(speed: number, latency: number): number {
    if (stable === most) return most;
    trial = { from: stable, speed, isQuick: latency < quick / 2 };
    return Math.min(stable * 2, most);
  }

  return {
    limit: () => limit,
    /** Called when a call was answered after `latency`. `isFull`: meanwhile as many calls were in flight as the limit allows. */
    answered(time: number, latency: number, isFull: boolean): void {
      trouble *= 0.98;
      start ??= time - latency;
      if (time < start) return;
      answers += 1;
      latencies += latency;
      if (isFull) fullAnswers += 1;
      const elapsed = time - start;
      const isLong = elapsed >= (limit < usual ? 100 : 250);
      // If the service has become very slow, fewer answers suffice.
      if (!isLong || answers < (elapsed < 1000 ? 2 * limit : fewestAnswers)) return;
      const mean = latencies / answers;
      const before = limit;
      limit = judge((answers * 1000) / elapsed, mean, fullAnswers * 2 > answers, time);
      // Answers to calls that were sent under the old limit do not count.
      begin(limit === before ? time : time + mean);
    },
    /** Called when a call got no answer, or the service failed. */
    troubled(time: number): void {
      trouble = trouble * 0.98 + 0.02;
      if (trouble < 0.1) return;
      trouble = 0;
      limit = Math.max(Math.floor((trial?.from ?? limit) / 2), 1);
      trial = undefined;
      begin(time);
    },
  };
}
