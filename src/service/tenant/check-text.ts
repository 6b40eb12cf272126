import type { Pattern } from './pattern.ts';

/** Length limits in characters, and a pattern. */
export interface TextRule {
  min_length: number;
  max_length?: number;
  pattern?: Pattern;
}

/** Characters that no text of one line may contain (decision 25a). */
export const controlCharacter = /\p{Cc}/u;

/** Characters that a text of several lines may not contain. */
const exceptLinesAndTabs = /[^\P{Cc}\t\n\r]/u;

/** True if length and pattern fit, and the text has no such control characters and no lone surrogates (decision 25a). */
export function isAcceptedText(value: string, rule: TextRule, isOneLine = true): boolean {
  const refused = isOneLine ? controlCharacter : exceptLinesAndTabs;
  return (
    hasLength(value, rule) &&
    value.isWellFormed() &&
    !refused.test(value) &&
    (rule.pattern?.test(value) ?? true)
  );
}

/** Counts characters, each one or two code units, only if the code units do not decide: a value can be as long as a body. */
function hasLength(value: string, { min_length, max_length = Number.POSITIVE_INFINITY }: TextRule): boolean {
  const units = value.length;
  if (units < min_length || units > 2 * max_length) return false;
  if (units >= 2 * min_length && units <= max_length) return true;
  const characters = [...value].length;
  return characters >= min_length && characters <= max_length;
}
