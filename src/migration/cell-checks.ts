import { type AttributeKind, genders } from '../contract/attributes.ts';
import { isDay } from '../contract/time.ts';
import type { HashedPassword } from '../contract/wire.ts';
import type { FindingCode } from './finding-table.ts';

/** Looks at a cell that is not empty. */
export type CellCheck = (value: string) => FindingCode | undefined;

const scientific = /^[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+$/;
const decimal = /^[+-]?\d+[.,]\d+$/;
const mobile = /^(?:\+?\d{1,4}-)?\d{1,20}$/;
const email = /^[^@\s]+@[^@\s]+$/;
const image = /^(?:https?:\/\/|data:image\/[^;,]+;base64,)/i;
const knownGenders = new Set<string>(genders);
const outerBlank = /^\s|\s$/;
/** Quotes and dashes of word processors, blanks that are none, and characters that cannot be seen. */
const typographic = /[\u00a0\u00ad\u2000-\u201f\u2028-\u202f\u2060\u3000]/;
const plain = /^[\x21-\x7e]+$/;

/** For values that a person or a program must repeat exactly. */
function exact(value: string): FindingCode | undefined {
  if (plain.test(value)) return undefined;
  if (typographic.test(value)) return 'TYPOGRAPHIC';
  return outerBlank.test(value) ? 'OUTER_BLANK' : undefined;
}

/**
 * Faults that can be told without the tenant's definition, which has lengths and patterns of its own (decision 25a).
 * What spoils any text is looked for besides: see `text-faults.ts`.
 */
export const cellChecks = {
  text: undefined,
  userName: (value) => exact(value) ?? (/\s/.test(value) ? 'USER_NAME' : undefined),
  email: (value) => exact(value) ?? (email.test(value) ? undefined : 'EMAIL'),
  mobile(value) {
    if (mobile.test(value)) return undefined;
    if (scientific.test(value)) return 'MOBILE_SCIENTIFIC';
    return decimal.test(value) ? 'MOBILE_DECIMAL' : (exact(value) ?? 'MOBILE');
  },
  gender: (value) => (knownGenders.has(value) ? undefined : 'GENDER'),
  date: (value) => (isDay(value) ? undefined : 'BIRTHDAY'),
  image: (value) => (image.test(value) ? undefined : 'IMAGE'),
  flag: (value) => (value === 'true' || value === 'false' ? undefined : 'MUST_MODIFY'),
  algorithm: exact,
  value: exact,
  key: (value) => (typographic.test(value) ? 'TYPOGRAPHIC' : undefined),
} as const satisfies Record<AttributeKind | 'flag' | keyof HashedPassword, CellCheck | undefined>;
