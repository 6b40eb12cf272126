import type { AttributeRule } from '../tenant/definition.ts';

/** Refused in every text (decision 25a). */
export const controlCharacter = /\p{Cc}/u;

/** Length, pattern, no control characters, no half characters (decision 25a). */
export function isAcceptedText(value: string, rule: AttributeRule): boolean {
  return (
    value.length >= rule.minLength &&
    (value.length <= rule.maxLength || [...value].length <= rule.maxLength) &&
    value.isWellFormed() &&
    !controlCharacter.test(value) &&
    (rule.pattern?.test(value) ?? true)
  );
}
