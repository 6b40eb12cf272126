import { createFirstBurst, createGoodput } from './count-answers.ts';

/** Finds an unknown rate limit from the moments at which the service throttles. Times in milliseconds. */
export interface RateLearner {
  /** Calls a second that the service is believed to let pass; `Infinity` as long as it throttled none. */
  rate(): number;
  /** Calls that may go at once after a rest: a part of what the service saves. */
  burst(): number;
  /** A call that was sent at `sent` got through. */
  answered(time: number, sent: number): void;
  /** The first throttled answer since the rate was last changed; nothing more is sent before `resumeAt`. */
  throttled(time: number, sent: number, resumeAt: number): void;
  /** Another throttled answer of the same moment. */
  throttledToo(): void;
}

/** What was sent from one moment without credit to the next. */
interface Stretch {
  /** The first moment; `undefined` at the start of a run, when the credit is not known. */
  from: number | undefined;
  /** When the rate in force began to be used, after the pause. */
  since: number | undefined;
  /** Calls that got through. */
  passed: number;
  /** The rate before it was raised, since when it has been, and what got through since. */
  probe:
    | { base: number; began: number; passed: number; rise: number; next: number; unused: number }
    | undefined;
}

/** A stretch that is over, the moment of the throttled call, the rate in force, and answers a second before it. */
type Ended = Stretch & { until: number; rate: number; recent: number };

/** Just under the limit, so that clocks and timers may err a little. */
const under = 0.99;
/** Just over what got through where it may not have been all. */
const over = 1.005;
const slowest = 0.5;
/** Fewer calls between two moments without credit tell nothing. */
const fewest = 10;
/** The first rise of a probe over the rate; each step doubles it. */
const firstRise = 0.03;
/** Steps of a probe that nothing comes near: fewer may be a machine that is busy. */
const unusedSteps = 6;
/** Calls that get through before the next probe, for each that the last one had throttled: so less than a percent. */
const callsPerThrottled = 150;

/**
 * A limiter that throttles is out of credit at that moment. So what gets through between two such moments, over the time
 * between them, is never more than the limit, and just the limit where no credit was left unused. A pause gives new credit,
 * though no more than a limiter saves, which the first burst of the run has shown. Calls count by the time at which they were
 * sent. A rate next to the limit is held; a probe from time to time begins gently and doubles its rise, so that a lifted
 * limit is found in seconds. What gets through in a probe beyond the rate is credit at first; only more than that is a
 * lifted limit. `start`: the rate to begin with, of which is known only that it got through once.
 */
export function createRateLearner(start = Infinity): RateLearner {
  const goodput = createGoodput();
  let rate = start;
  let stretch: Stretch = { from: undefined, since: undefined, passed: 0, probe: undefined };
  /** The last stretch, as long as answers to what was sent in it come. */
  let last: Ended | undefined;
  /** What was saved when the run began, when that was used up, and calls that were found later to be saved as well. */
  const burst = createFirstBurst();
  let burstEnd: number | undefined;
  let moreCredit = 0;
  /** The first limit that was found. */
  let firstLimit: number | undefined;
  /** Has anything got through since the service throttled last? */
  let hasPassed = true;
  /** Is the rate known, or only guessed? */
  let isSure = false;
  let pause = 0;
  let throttledCalls = 0;

  function isProbeDue(time: number): boolean {
    const held = time - (stretch.since ?? time);
    if (!isSure) return held >= Math.max(2000, 10_000 / rate);
    // A probe costs a pause: the longer that is, the rarer they are.
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
    // Nothing comes near the rate any more: it is not what limits the run.
    if (probe.unused < unusedSteps) return;
    rate = Infinity;
    stretch = { from: undefined, since: time, passed: 0, probe: undefined };
  }

  /** Calls that a limiter of so many calls a second saves: fewer where it is lower than the one that was found first. */
  function creditOf(limit: number): number {
    if (burstEnd === undefined) return 0;
    const reference = firstLimit ?? limit;
    return (burst.credit(reference, burstEnd) + moreCredit) * Math.min(1, limit / reference);
  }

  /** The next rate; `isGuess`: it is soon tried whether more gets through. */
  function decide(ended: Ended): { next: number; isGuess: boolean } {
    const { from, until, passed, probe, recent } = ended;
    const held = heldIn(ended);
    if (from === undefined) {
      // Most limiters save what they let pass in a second.
      const likely = passed >= fewest ? (passed * 1000) / (1000 + held) : recent * 0.6;
      return { next: Number.isFinite(likely) ? likely : 10, isGuess: true };
    }
    const lower = (passed * 1000) / (until - from);
    const credit = creditOf(lower);
    const offered = (lower * (until - from - held)) / 1000;
    const isSpilt = offered > credit;
    if (isSpilt && held < 1000) return { next: Math.max(lower * under, ended.rate * 0.7), isGuess: true };
    const likely = isSpilt ? Math.max(lower, ((passed - credit) * 1000) / held) : lower;
    // The limit was lowered, or this process was not served for a while.
    if (recent < likely * 0.9) return { next: Math.max(recent, likely / 2) * under, isGuess: true };
    if (!probe) return { next: likely * under, isGuess: until - from < 3000 };
    const more = probe.passed - (probe.base * (until - probe.began)) / 1000;
    if (more > credit * 1.5 + fewest) return { next: Math.max(likely, recent * 0.85), isGuess: true };
    // Held below the limit, credit was left unused: the limit is a little higher than it looks.
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
    rate: () => rate,
    burst: () => (burstEnd === undefined ? Infinity : Math.max(1, creditOf(rate) / 4)),
    answered(time, sent) {
      goodput.add(time);
      hasPassed = true;
      if (last && sent < last.until) {
        last.passed += 1;
        if (last.from === undefined) burst.add(sent);
        if (last.probe) last.probe.passed += 1;
        // Nothing was sent under the new rate yet.
        if (time < (stretch.since ?? time)) use(decide(last));
        return;
      }
      stretch.since ??= sent;
      stretch.passed += 1;
      if (burstEnd === undefined) burst.add(sent);
      if (rate === Infinity || time < stretch.since) return;
      if (stretch.probe || isProbeDue(time)) raise(time);
    },
    throttled(time, sent, resumeAt) {
      const { since, from, probe, passed } = stretch;
      const recent = Math.min(rate, goodput.perSecond(time, since ?? time) ?? rate);
      const isKnown = from === undefined || passed >= fewest;
      const held = sent - (since ?? sent);
      // What is throttled though it was not raised has lived on credit that was not known.
      if (isSure && !probe && held < 10 * pause) moreCredit += (rate * pause) / 4000;
      pause = resumeAt - time;
      if (isKnown) {
        last = { ...stretch, until: sent, rate, recent };
        burstEnd ??= sent;
        use(decide(last));
        if (isSure) firstLimit ??= rate;
        stretch = { from: sent, since: resumeAt, passed: 0, probe: undefined };
      } else {
        // Where nothing gets through at all, how often it is tried makes no difference.
        if (hasPassed) use({ next: rate * 0.6, isGuess: true });
        stretch.since = resumeAt;
        stretch.probe = undefined;
      }
      hasPassed = false;
      throttledCalls = 1;
    },
    throttledToo() {
      throttledCalls += 1;
    },
  };
}

function heldIn({ since, until }: Pick<Ended, 'since' | 'until'>): number {
  return Math.max(0, until - (since ?? until));
}
