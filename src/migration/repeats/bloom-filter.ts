/** Says of most keys that it never got that it never got them, and of each that it got, that it may have. */
export interface BloomFilter {
  add(high: number, low: number): void;
  mayHave(high: number, low: number): boolean;
}

/** Bits of each key: with eight in the filter for every key, about one other in forty is taken for one of them. */
const bitsOfKey = 4;

/** Makes an empty filter for so many keys, of 8 to 16 bits each, or 2 to the power of `most` bits if that is less. */
export function createBloomFilter(keys: number, most: number): BloomFilter {
  const power = Math.max(5, Math.min(most, Math.ceil(Math.log2(8 * keys + 1))));
  const words = new Uint32Array(2 ** (power - 5));
  const shift = 32 - power;
  return {
    add(high, low) {
      for (let time = 0, sum = low; time < bitsOfKey; time += 1, sum += high) {
        const bit = sum >>> shift;
        words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
      }
    },
    mayHave(high, low) {
      for (let time = 0, sum = low; time < bitsOfKey; time += 1, sum += high) {
        const bit = sum >>> shift;
        if (((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
      }
      return true;
    },
  };
}
