/** Tells ids that are new from ids that were there before. */
export interface SeenIds {
  /** True the first time. */
  add(id: string): boolean;
}

/** Open addressing: an entry is two words, both 0 where there is none. */
interface Generation {
  words: Uint32Array;
  entries: number;
}

const fewestSlots = 1024;
const fullest = 7 / 8;

/**
 * Remembers ids as 64-bit fingerprints, in two generations of at most `slots` (a power of two, 8 bytes each) of which 7/8
 * are used: when the newer is full, the older is forgotten. So with the default, memory ends at 16 MB, and an id is
 * known again for certain while no more than 900,000 others came since; one that comes later than that may pass as new.
 * That two ids share a fingerprint has a chance of about one in ten million in a list of a million.
 */
export function createSeenIds(slots = 2 ** 20): SeenIds {
  const seed = Math.floor(Math.random() * 2 ** 32);
  let newer = emptyGeneration(Math.min(fewestSlots, slots));
  let older: Generation | undefined;

  function makeRoom(): void {
    const size = newer.words.length / 2;
    if (newer.entries < size * fullest) return;
    if (size >= slots) {
      older = newer;
      newer = emptyGeneration(Math.min(fewestSlots, slots));
    } else {
      newer = doubled(newer);
    }
  }

  return {
    add(id) {
      let high = seed | 0;
      let low = ~seed;
      // Each word takes the text in with a multiplier and a rotation of its own.
      for (let index = 0; index < id.length; index += 1) {
        const unit = id.charCodeAt(index);
        high = Math.imul(high ^ unit, 0x2c9277b5);
        high = (high << 13) | (high >>> 19);
        low = Math.imul(low ^ unit, 0x5f356495);
        low = (low << 17) | (low >>> 15);
      }
      high = stir(high ^ id.length);
      low = stir(low ^ high) || 1;
      if (older && older.words[slotOf(older.words, high, low)] !== 0) return false;
      const slot = slotOf(newer.words, high, low);
      if (newer.words[slot] !== 0) return false;
      put(newer, slot, high, low);
      makeRoom();
      return true;
    },
  };
}

function emptyGeneration(slots: number): Generation {
  return { words: new Uint32Array(slots * 2), entries: 0 };
}

function doubled({ words }: Generation): Generation {
  const wider = emptyGeneration(words.length);
  for (let at = 0; at < words.length; at += 2) {
    const low = words[at] ?? 0;
    const high = words[at + 1] ?? 0;
    if (low !== 0) put(wider, slotOf(wider.words, high, low), high, low);
  }
  return wider;
}

function put(generation: Generation, slot: number, high: number, low: number): void {
  generation.words[slot] = low;
  generation.words[slot + 1] = high;
  generation.entries += 1;
}

/** Where the fingerprint is, or where it would go. The low word comes first and is never 0. */
function slotOf(words: Uint32Array, high: number, low: number): number {
  const last = words.length - 2;
  let slot = (high << 1) & last;
  while (words[slot] !== 0 && (words[slot] !== low >>> 0 || words[slot + 1] !== high >>> 0)) {
    slot = (slot + 2) & last;
  }
  return slot;
}

/** Spreads each bit of a word over all of them. */
function stir(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
