import { type AttributeKind, genders } from '../contract/attributes.ts';
import { isDay } from '../contract/time.ts';
import type { FindingCode } from './finding-table.ts';

/** Looks at a cell that is not empty. */
export type CellCheck = (value: string) => FindingCode | undefined;

const scientific = /^[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+$/;
const image = /^(?:https?:\/\/|data:image\/[^;,]+;base64,)/i;
const knownGenders = new Set<string>(genders);

/**
 * Faults that can be told without the tenant's definition; lengths and patterns are its own (decision 25a).
 * Control characters are looked for in every cell besides.
 */
export const cellChecks = {
  text: undefined,
  userName: undefined,
  email: (value) => (value.includes('@') ? undefined : 'EMAIL'),
  mobile: (value) => (scientific.test(value) ? 'MOBILE_SCIENTIFIC' : undefined),
  gender: (value) => (knownGenders.has(value) ? undefined : 'GENDER'),
  date: (value) => (isDay(value) ? undefined : 'BIRTHDAY'),
  image: (value) => (image.test(value) ? undefined : 'IMAGE'),
  flag: (value) => (value === 'true' || value === 'false' ? undefined : 'MUST_MODIFY'),
} as const satisfies Record<AttributeKind | 'flag', CellCheck | undefined>;

/** True for a text with a line break or another control character, which the API refuses everywhere. */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
