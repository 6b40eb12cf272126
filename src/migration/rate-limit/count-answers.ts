const width = 100;

/** Counts answers in slots of a tenth of a second, and keeps the newest `most` slots. Times are in milliseconds. */
function createSlots(most: number) {
  const counts = new Map<number, number>();
  let newest = -Infinity;

  /** Returns the slot of a time; slots that are too old are dropped. */
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

const slots = 10;
/** Fewer answers are not enough to measure a rate. */
const fewestAnswers = 10;

/** Creates a counter of the answers of the last second. `add` counts one; times must not decrease. */
export function createGoodput() {
  const { counts, slotOf, add } = createSlots(slots);
  return {
    add,
    /** Answers per second since `since`, or in the last second if that is shorter; `undefined` if there are too few. */
    perSecond(time: number, since: number): number | undefined {
      const oldest = slotOf(time) - slots + 1;
      const sum = [...counts.values()].reduce((total, count) => total + count, 0);
      // The current slot is not full yet, so the window is shorter than a second.
      const window = Math.min(time - oldest * width, time - since);
      return sum >= fewestAnswers && window > 0 ? (sum * 1000) / window : undefined;
    },
  };
}

/** Ten seconds: a burst that is spread over a longer time hardly exceeds the limit. */
const burstSlots = 100;

/**
 * Creates a counter of the first burst: calls that the service let through before it throttled for the first time. `add` counts
 * one, at the time at which it was sent.
 */
export function createFirstBurst() {
  const { counts, slotOf, add } = createSlots(burstSlots);
  return {
    add,
    /** Returns the credit that had been saved: the most calls beyond `perSecond` in any stretch of time that ends at `until`. */
    credit(perSecond: number, until: number): number {
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
