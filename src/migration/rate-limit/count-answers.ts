const width = 100;

/** Answers by the tenth of a second to which they belong, of the newest ones. Times are milliseconds. */
function createSlots(most: number) {
  const counts = new Map<number, number>();
  let newest = -Infinity;

  /** The slot of a moment; what is too old is forgotten. */
  function slotOf(time: number): number {
    const slot = Math.floor(time / width);
    if (slot > newest) {
      newest = slot;
      for (const old of counts.keys()) if (old <= newest - most) counts.delete(old);
    }
    return slot;
  }

  return {
    counts,
    slotOf,
    add(time: number): void {
      const slot = slotOf(time);
      counts.set(slot, (counts.get(slot) ?? 0) + 1);
    },
  };
}

/** Counts answers of the last second. */
export interface Goodput {
  /** Counts one; times do not go back. */
  add(time: number): void;
  /** Answers a second since `since`, a second ago at most; `undefined` where too few came. */
  perSecond(time: number, since: number): number | undefined;
}

const slots = 10;
/** Fewer answers than this are no evidence. */
const fewestAnswers = 10;

/** Begins to count. */
export function createGoodput(): Goodput {
  const { counts, slotOf, add } = createSlots(slots);
  return {
    add,
    perSecond(time, since) {
      const oldest = slotOf(time) - slots + 1;
      const sum = [...counts.values()].reduce((total, count) => total + count, 0);
      // The slot of this moment has just begun: the window is shorter than a second.
      const window = Math.min(time - oldest * width, time - since);
      return sum >= fewestAnswers && window > 0 ? (sum * 1000) / window : undefined;
    },
  };
}

/** What a limiter let pass before it throttled for the first time. */
export interface FirstBurst {
  /** Counts a call that got through, by the time at which it was sent. */
  add(sent: number): void;
  /** Calls beyond so many a second in the stretch before `until` that had most of them: so many were saved. */
  credit(perSecond: number, until: number): number;
}

/** Ten seconds: a burst that is spent more slowly is hardly more than the limit. */
const burstSlots = 100;

/** Begins to count. */
export function createFirstBurst(): FirstBurst {
  const { counts, slotOf, add } = createSlots(burstSlots);
  return {
    add,
    credit(perSecond, until) {
      const newest = slotOf(until);
      let most = 0;
      let sum = 0;
      for (let slot = newest; slot > newest - burstSlots; slot -= 1) {
        sum += counts.get(slot) ?? 0;
        most = Math.max(most, sum - (perSecond * (until - slot * width)) / 1000);
      }
      return most;
    },
  };
}
