import type { Pattern } from './pattern.ts';

/** Lengths in characters. */
interface TextRule {
  min_length: number;
  max_length?: number;
  pattern?: Pattern;
}

/** Refused in every text (decision 25a). */
export const controlCharacter = /\p{Cc}/u;

/** Refused in a text of several lines. */
const exceptLinesAndTabs = /[^\P{Cc}\t\n\r]/u;

/** Length, pattern, no control characters, no half characters (decision 25a). */
export function isAcceptedText(value: string, rule: TextRule, refused = controlCharacter): boolean {
  return (
    hasLength(value, rule) &&
    value.isWellFormed() &&
    !refused.test(value) &&
    (rule.pattern?.test(value) ?? true)
  );
}

/** True for an accepted text, which may have line breaks and tabs. */
export function areAcceptedLines(value: string, rule: TextRule): boolean {
  return isAcceptedText(value, rule, exceptLinesAndTabs);
}

/** Counts characters, which can be two code units, only where that decides: a value can be as long as a body. */
function hasLength(value: string, { min_length, max_length = Number.POSITIVE_INFINITY }: TextRule): boolean {
  const units = value.length;
  if (units < min_length || units > 2 * max_length) return false;
  if (units >= 2 * min_length && units <= max_length) return true;
  const characters = [...value].length;
  return characters >= min_length && characters <= max_length;
}
