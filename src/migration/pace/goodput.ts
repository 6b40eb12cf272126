const width = 100;
const slots = 10;

/** Counts answers of the last second. */
export interface Goodput {
  /** Counts one; times are milliseconds and do not go back. */
  add(time: number): void;
  /** Answers a second since `since`, a second ago at most; `undefined` where too few came to tell. */
  perSecond(time: number, since: number): number | undefined;
}

/** Fewer answers than this tell nothing. */
const fewest = 10;

/** Makes the counter. */
export function createGoodput(): Goodput {
  const counts = new Float64Array(slots);
  let newest = -1;

  function advance(time: number): number {
    const slot = Math.floor(time / width);
    if (newest < 0 || slot - newest >= slots) counts.fill(0);
    else for (let passed = newest + 1; passed <= slot; passed += 1) counts[passed % slots] = 0;
    newest = Math.max(newest, slot);
    return newest % slots;
  }

  return {
    add(time) {
      const slot = advance(time);
      counts[slot] = (counts[slot] ?? 0) + 1;
    },
    perSecond(time, since) {
      advance(time);
      const sum = counts.reduce((total, count) => total + count, 0);
      // The slot of this moment has just begun: the window is shorter than the ring.
      const window = Math.min(time - (newest - slots + 1) * width, time - since);
      return sum >= fewest && window > 0 ? (sum * 1000) / window : undefined;
    },
  };
}
