import { createFirstBurst, createGoodput } from './count-answers.ts';

/** A stretch of time from one moment at which the service had no credit left to the next, and the calls that were sent in it. */
interface Stretch {
  /** Start of the stretch; `undefined` at the start of a run, when the credit is not known. */
  from: number | undefined;
  /** When the current rate began to be used, after the pause. */
  since: number | undefined;
  /** Calls that got through. */
  passed: number;
  /** A trial of higher rates: the rate before, when it began, calls that got through since, and the next rise and its time. */
  probe:
    | { base: number; began: number; passed: number; rise: number; next: number; unused: number }
    | undefined;
}

/** A stretch that has ended: when the throttled call was sent, the rate at the time, and the answers per second before. */
type Ended = Stretch & { until: number; rate: number; recent: number };

/** Factor just below the limit, to allow for imprecise clocks and timers. */
const under = 0.99;
/** Factor just above the measured rate, if that may not have been all that gets through. */
const over = 1.005;
const slowest = 0.5;
/** Fewer calls in a stretch are not enough to measure a rate. */
const fewest = 10;
/** First rise of a probe, as a fraction of the rate; each step doubles it. */
const firstRise = 0.03;
/** Consecutive probe steps with a rate far from reached, after which the limit is dropped. Fewer may mean a busy machine. */
const unusedSteps = 6;
/** Calls that must get through before the next probe, per call that the last one had throttled, which keeps these below 1 %. */
const callsPerThrottled = 150;

/**
 * Learns an unknown rate limit from the times at which the service throttles, in milliseconds. A service that throttles has no
 * credit left at that moment. So the calls that get through between two such moments, divided by the time between them, never
 * exceed the limit, and equal it if no credit was left unused. A pause gives new credit, but no more than the service can save,
 * which the first burst of the run has shown. Calls count by the time at which they were sent. A rate close to the limit is held;
 * an occasional probe begins gently and doubles its rise, so that a raised limit is found within seconds. Calls beyond the rate
 * that get through in a probe use up credit at first; only more than that means a raised limit. `start`: the rate to begin with, of
 * which it is only known that it got through once.
 */
export function createRateLearner(start = Infinity) {
  const goodput = createGoodput();
  let rate = start;
  let stretch: Stretch = { from: undefined, since: undefined, passed: 0, probe: undefined };
  /** The last stretch, as long as calls that were sent in it are answered. */
  let last: Ended | undefined;
  /** Credit at the start of the run, when it was used up, and further credit that was discovered later. */
  const burst = createFirstBurst();
  let burstEnd: number | undefined;
  let moreCredit = 0;
  /** The first limit that was found. */
  let firstLimit: number | undefined;
  /** True if a call has got through since the service last throttled. */
  let hasPassed = true;
  /** True if the rate is known, not only guessed. */
  let isSure = false;
  let pause = 0;
  let throttledCalls = 0;

  function isProbeDue(time: number): boolean {
    const held = time - (stretch.since ?? time);
    if (!isSure) return held >= Math.max(2000, 10_000 / rate);
    // A probe costs a pause: the longer the pause, the rarer the probes.
    const hold = Math.min(Math.max(10 * pause, 8000), 120_000);
    return held >= hold && stretch.passed >= throttledCalls * callsPerThrottled;
  }

  function raise(time: number): void {
    const rise = isSure ? firstRise : 4 * firstRise;
    stretch.probe ??= { base: rate, began: time, passed: 0, rise, next: time, unused: 0 };
    const { probe } = stretch;
    probe.passed += 1;
    if (time < probe.next) return;
    probe.next = time + Math.max(500, 3000 / rate);
    const isUsed = rate <= 4 * (goodput.perSecond(time, 0) ?? Infinity);
    probe.unused = isUsed ? 0 : probe.unused + 1;
    if (isUsed) {
      rate = probe.base * (1 + probe.rise);
      probe.rise *= 2;
    }
    // The rate is far from reached, so it is not what limits the run.
    if (probe.unused < unusedSteps) return;
    rate = Infinity;
    stretch = { from: undefined, since: time, passed: 0, probe: undefined };
  }

  /** Credit, in calls, of a service with this limit; lower than the first credit if the limit is lower than the first one found. */
  function creditOf(limit: number): number {
    if (burstEnd === undefined) return 0;
    const reference = firstLimit ?? limit;
    return (burst.credit(reference, burstEnd) + moreCredit) * Math.min(1, limit / reference);
  }

  /** Returns the next rate. `isGuess`: a higher one is tried soon. */
  function decide(ended: Ended): { next: number; isGuess: boolean } {
    const { from, since, until, passed, probe, recent } = ended;
    const held = Math.max(0, until - (since ?? until));
    if (from === undefined) {
      // Most rate limiters save the calls of one second.
      const likely = passed >= fewest ? (passed * 1000) / (1000 + held) : recent * 0.6;
      return { next: Number.isFinite(likely) ? likely : 10, isGuess: true };
    }
    const lower = (passed * 1000) / (until - from);
    const credit = creditOf(lower);
    const offered = (lower * (until - from - held)) / 1000;
    const isSpilt = offered > credit;
    if (isSpilt && held < 1000) return { next: Math.max(lower * under, ended.rate * 0.7), isGuess: true };
    const likely = isSpilt ? Math.max(lower, ((passed - credit) * 1000) / held) : lower;
    // The limit was lowered, or this process did not run for a while.
    if (recent < likely * 0.9) return { next: Math.max(recent, likely / 2) * under, isGuess: true };
    if (!probe) return { next: likely * under, isGuess: until - from < 3000 };
    const more = probe.passed - (probe.base * (until - probe.began)) / 1000;
    if (more > credit * 1.5 + fewest) return { next: Math.max(likely, recent * 0.85), isGuess: true };
    // A rate below the limit left credit unused: the limit is a little higher than measured.
    if (likely < probe.base * 0.97) return { next: likely * under, isGuess: false };
    const inProbe = offered > credit * 1.5 ? 0 : ((probe.passed - credit) * 1000) / (until - probe.began);
    return {
      next: Math.max(Math.min(Math.max(likely, probe.base) * over, likely * 1.015), inProbe * under),
      isGuess: likely > probe.base * 1.05,
    };
  }

  function use({ next, isGuess }: { next: number; isGuess: boolean }): void {
    rate = Math.max(slowest, next);
    isSure = !isGuess;
  }

  return {
    /** Calls per second that the service is believed to allow; `Infinity` while no limit is known. */
    rate: () => rate,
    /** Calls that may be made at once after a rest: a fraction of the credit that the service saves. */
    burst: () => (burstEnd === undefined ? Infinity : Math.max(1, creditOf(rate) / 4)),
    /** Called when a call that was sent at `sent` got through. */
    answered(time: number, sent: number): void {
      goodput.add(time);
      hasPassed = true;
      if (last && sent < last.until) {
        last.passed += 1;
        if (last.from === undefined) burst.add(sent);
        if (last.probe) last.probe.passed += 1;
        // No call was sent at the new rate yet, so it can still be corrected.
        if (time < (stretch.since ?? time)) use(decide(last));
        return;
      }
      stretch.since ??= sent;
      stretch.passed += 1;
      if (burstEnd === undefined) burst.add(sent);
      if (rate === Infinity || time < stretch.since) return;
      if (stretch.probe || isProbeDue(time)) raise(time);
    },
    /** Called for the first throttled answer since the rate was last changed; no call is made before `resumeAt`. */
    throttled(time: number, sent: number, resumeAt: number): void {
      const { since, from, probe, passed } = stretch;
      const recent = Math.min(rate, goodput.perSecond(time, since ?? time) ?? rate);
      const isKnown = from === undefined || passed >= fewest;
      const held = sent - (since ?? sent);
      // Throttled although the rate was not raised: the calls so far used credit that was not known.
      if (isSure && !probe && held < 10 * pause) moreCredit += (rate * pause) / 4000;
      pause = resumeAt - time;
      if (isKnown) {
        last = { ...stretch, until: sent, rate, recent };
        burstEnd ??= sent;
        use(decide(last));
        if (isSure) firstLimit ??= rate;
        stretch = { from: sent, since: resumeAt, passed: 0, probe: undefined };
      } else {
        // If nothing gets through at all, a lower rate makes no difference.
        if (hasPassed) use({ next: rate * 0.6, isGuess: true });
        stretch.since = resumeAt;
        stretch.probe = undefined;
      }
      hasPassed = false;
      throttledCalls = 1;
    },
    /** Called for each further throttled answer that belongs to the same event. */
    throttledToo(): void {
      throttledCalls += 1;
    },
  };
}
