import type { AttributeRule } from './definition.ts';

/** Refused in every text (decision 25a). */
export const controlCharacter = /\p{Cc}/u;

/** Length, pattern, no control characters, no half characters (decision 25a). */
export function isAcceptedText(value: string, rule: AttributeRule): boolean {
  return (
    hasLength(value, rule) &&
    value.isWellFormed() &&
    !controlCharacter.test(value) &&
    (rule.pattern?.test(value) ?? true)
  );
}

/** Counts characters, which can be two code units, only where that decides: a value can be as long as a body. */
function hasLength(value: string, { minLength, maxLength }: AttributeRule): boolean {
  const units = value.length;
  if (units < minLength || units > 2 * maxLength) return false;
  if (units >= 2 * minLength && units <= maxLength) return true;
  const characters = [...value].length;
  return characters >= minLength && characters <= maxLength;
}
