import { byMistakes } from './choice.ts';
import { foreignScheme } from './foreign-schemes.ts';
import { digestKindsOf, type HashKind } from './hash-kinds.ts';
import { highestCost, isCutBcrypt, readBcrypt, readLooseBcrypt } from './read-bcrypt.ts';
import { valueTexts } from './value-choices.ts';

/** What a hash can be by its look. */
export interface Identity {
  /** Likeliest first; empty for a text that looks like no hash. */
  kinds: readonly HashKind[];
  /** Codes of the damage to the text that was undone to see it, which the API does not undo. */
  damage: readonly string[];
}

/** Tells what a text can be by its look, first as it stands, then with damage to it undone. */
export function identify(text: string): Identity {
  for (const { value, mistakes } of byMistakes(valueTexts(text))) {
    const kinds = kindsOf(value);
    if (kinds.length === 0) continue;
    const isWhole = mistakes.length === 0;
    return { kinds: isWhole ? kinds : kinds.map((kind) => ({ ...kind, accepted: false })), damage: mistakes };
  }
  return { kinds: [], damage: [] };
}

function kindsOf(text: string): HashKind[] {
  const scheme = foreignScheme(text);
  if (scheme) return [{ algorithm: null, format: scheme, accepted: false, sure: 'certain' }];
  const bcrypt = bcryptKind(text);
  return bcrypt ? [bcrypt] : digestKindsOf(text);
}

function bcryptKind(text: string): HashKind | undefined {
  const kind = { algorithm: 'bcrypt', sure: 'certain' } as const;
  if (isCutBcrypt(text)) return { ...kind, format: 'bcrypt, cut short', accepted: false };
  const read = readBcrypt(text);
  const parts = read ?? readLooseBcrypt(text);
  if (!parts) return undefined;
  const { prefix, cost } = parts;
  const accepted = read !== undefined && cost >= 4 && cost <= highestCost;
  const limit = cost > highestCost ? ' (above 16: the local service never matches it)' : '';
  return { ...kind, format: `bcrypt ${prefix || 'without a prefix'}, cost ${cost}${limit}`, accepted };
}
