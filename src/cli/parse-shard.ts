import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Shard } from '../migration/shard.ts';

/** Option parser: `I/N`, the I-th of N shares. */
export function parseShard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > of)
    throw new InvalidArgumentError('It must be I/N, such as 2/3, with I from 1 to N.');
  return { index, of };
}
