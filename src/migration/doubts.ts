import type { FindingCode } from './finding-table.ts';

/** Findings that are likely a fault, but not surely: the caller may accept them for a whole file. */
export const doubts = [
  'CHARACTERS_LOST',
  'FORMULA',
  'HASH_COST',
  'MOBILE',
  'MOJIBAKE',
  'TOO_LONG',
  'TYPOGRAPHIC',
  'USER_NAME',
] as const satisfies readonly FindingCode[];

export type Doubt = (typeof doubts)[number];
