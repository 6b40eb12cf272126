import { createHash } from 'node:crypto';

/** The two halves of a digest that stands for a number. */
export function spread(number: number): [high: number, low: number] {
  const digest = createHash('sha256').update(String(number)).digest();
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
}
