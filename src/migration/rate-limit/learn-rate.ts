const width = 100;
const slots = 10;

/** Counts answers of the last second. */
export interface Goodput {
  /** Counts one; times are milliseconds and do not go back. */
  add(time: number): void;
  /** Answers a second since `since`, a second ago at most; `undefined` where too few came. */
  perSecond(time: number, since: number): number | undefined;
}

/** Fewer answers than this are no evidence. */
const fewestCalls = 10;

function createGoodput(): Goodput {
  const counts = new Map<number, number>();

  /** The slot of a moment; what is older than a second is forgotten. */
  function slotOf(time: number): number {
    const newest = Math.floor(time / width);
    for (const slot of counts.keys()) if (slot <= newest - slots) counts.delete(slot);
    return newest;
  }

  return {
    add(time) {
      const slot = slotOf(time);
      counts.set(slot, (counts.get(slot) ?? 0) + 1);
    },
    perSecond(time, since) {
      const oldest = slotOf(time) - slots + 1;
      const sum = [...counts.values()].reduce((total, count) => total + count, 0);
      // The slot of this moment has just begun: the window is shorter than a second.
      const window = Math.min(time - oldest * width, time - since);
      return sum >= fewestCalls && window > 0 ? (sum * 1000) / window : undefined;
    },
  };
}

/** Finds an unknown rate limit from the moments at which the service throttles. Times in milliseconds. */
export interface RateLearner {
  /** Calls a second that the service is believed to let pass; `Infinity` as long as it throttled none. */
  rate(): number;
  /** A call got through. */
  answered(time: number): void;
  /** The first throttled answer since the rate was last changed; nothing more is sent before `resumeAt`. */
  throttled(time: number, resumeAt: number): void;
}

/** What is known at a moment at which the service throttles. */
interface Evidence {
  time: number;
  /** How long the rate in force was used. */
  held: number;
  /** Calls a second that the limit is not below; `isExact`: nor much above. */
  lower: number | undefined;
  isExact: boolean;
  /** Calls a second that the limit is hardly above. */
  upper: number;
}

/** Just under the limit, so that clocks and timers may err a little. */
const under = 0.975;
const slowest = 0.5;
const confirmAfter = 5000;
const fewest = 20;

/** Rises of a probe over its base: 3 %, 6 %, 12 %, … */
const firstRise = 0.03;

/**
 * A limiter that throttles is out of credit at that moment. So what gets through between two such moments, over the time
 * between them, is never more than the limit, and just the limit where no credit was left unused (`lower`); and the rate
 * at the moment is not below the limit (`upper`). Between probes a rate is held that got through before; a probe begins
 * gently and doubles its rise, so that a lifted limit is found in seconds. What failed is remembered (`bad`).
 */
export function createRateLearner(): RateLearner {
  const goodput = createGoodput();
  let rate = Infinity;
  /** A rate that was held for some time. */
  let good = 0;
  /** The lowest rate above `good` that was throttled. */
  let bad = Infinity;
  let badUntil = 0;
  /** When the rate in force began to be used. */
  let since: number | undefined;
  /** A moment without credit, and what got through since. */
  let mark: number | undefined;
  let passed = 0;
  /** What got through before the service throttled for the first time, and in which time. */
  let saved = { calls: 0, time: 0 };
  /** Has anything got through since the service throttled last? */
  let hasPassed = true;
  /** Is the rate known, or only guessed? */
  let isSure = false;
  let probeAfter = 0;
  let probe: { base: number; rise: number; next: number } | undefined;

  function forget(): void {
    good = 0;
    bad = Infinity;
  }

  function raise(time: number): void {
    probe ??= { base: rate, rise: isSure ? firstRise : 4 * firstRise, next: time };
    if (time < probe.next) return;
    rate = probe.base * (1 + probe.rise);
    probe = { base: probe.base, rise: probe.rise * 2, next: time + Math.max(500, 3000 / rate) };
    // Nothing comes near the rate any more: it is not what limits the run.
    if (rate > 4 * (goodput.perSecond(time, 0) ?? Infinity)) {
      rate = Infinity;
      mark = undefined;
      probe = undefined;
      since = time;
      forget();
    }
  }

  function betweenGoodAnd(failed: number): number {
    const worst = Math.min(failed, bad);
    return worst > good * 1.05 ? Math.sqrt(worst * good) : good;
  }

  /**
   * What got through since the last moment without credit. A pause gives new credit, though no more than a limiter saves,
   * which the first burst of the run has shown.
   */
  function estimate(held: number, span: number, upper: number): Pick<Evidence, 'lower' | 'isExact'> {
    if (span === 0) {
      saved = { calls: passed, time: held };
      return { lower: undefined, isExact: false };
    }
    if (passed < fewest) return { lower: undefined, isExact: false };
    const lower = (passed * 1000) / span;
    const credit = saved.calls - (lower * saved.time) / 1000;
    const isSpilt = held >= 1000 && (lower * (span - held)) / 1000 > credit * 1.2;
    const likely = isSpilt ? Math.max(lower, ((passed - credit) * 1000) / held) : lower;
    return { lower: likely, isExact: isSpilt && upper < likely * 1.3 };
  }

  /** `isGuess`: it is soon tried whether more gets through. */
  function nextRate({ time, held, lower, upper, isExact }: Evidence): { next: number; isGuess: boolean } {
    if (time > badUntil) bad = Infinity;
    if (rate === Infinity) return { next: Number.isFinite(upper) ? upper * 0.6 : 10, isGuess: true };
    const isQuick = held < Math.max(1000, 10_000 / rate);
    const likely = (lower ?? 0) * under;
    if (probe && !isQuick) {
      const { base } = probe;
      const isFar = upper > base * 1.6;
      // A base that was not held for long may have been above the limit, and have lived on saved credit.
      if (good < base && !isFar && (isExact || likely < base)) {
        forget();
        return { next: isExact ? likely : Math.sqrt(Math.max(likely, base / 2) * base), isGuess: false };
      }
      good = base;
      // It went far: the limit was lifted, or not known yet.
      if (isFar) return { next: upper * 0.85, isGuess: true };
      const next = isExact && likely > good ? likely : Math.max(betweenGoodAnd(upper), likely);
      return { next, isGuess: false };
    }
    if (!probe && good > 0 && rate > good * 1.001) {
      bad = Math.min(bad, rate);
      badUntil = time + 60_000;
      return { next: Math.max(good, likely), isGuess: false };
    }
    // The limit is lower than it was, or not known yet.
    forget();
    if (lower === undefined) return { next: rate * 0.6, isGuess: true };
    const isTight = isQuick || upper < lower * 1.4;
    return { next: isTight ? likely : upper * 0.85, isGuess: !isTight };
  }

  return {
    rate: () => rate,
    answered(time) {
      since ??= time;
      goodput.add(time);
      passed += 1;
      hasPassed = true;
      if (rate === Infinity) return;
      const held = time - since;
      if (!probe && held >= confirmAfter && rate > good) good = rate;
      if (probe || held >= probeAfter) raise(time);
    },
    throttled(time, resumeAt) {
      const pause = resumeAt - time;
      const span = mark === undefined ? 0 : time - mark;
      const held = time - (since ?? time);
      const upper = Math.min(rate, goodput.perSecond(time, since ?? time) ?? rate);
      const { lower, isExact } = estimate(held, span, upper);
      // Where nothing gets through at all, how often it is tried makes no difference.
      if (hasPassed) {
        const { next, isGuess } = nextRate({ time, held, lower, upper, isExact });
        rate = Math.max(slowest, next);
        isSure = !isGuess && (isExact || pause < span / 5);
      }
      hasPassed = false;
      // A probe costs a pause: the longer that is, the rarer they are. After a guess the next one comes soon.
      probeAfter = !isSure ? 2000 : Math.min(Math.max(10 * pause, 8000), 120_000);
      probe = undefined;
      since = resumeAt;
      if (mark === undefined || lower !== undefined) {
        mark = time;
        passed = 0;
      }
    },
  };
}
