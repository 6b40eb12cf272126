import { sha256 } from '../model/digests.ts';
import type { Recipe } from './recipe.ts';

/** SHA-256, in hex, of everything in a recipe that changes what is sent. The order of keys and fields does not matter. */
export function recipeDigest({ title: _, detect: _d, examples: _e, ignore: _i, ...rest }: Recipe): string {
  return sha256(JSON.stringify(sorted(rest)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}
