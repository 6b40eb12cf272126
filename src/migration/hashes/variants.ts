import type { MistakeCode } from './mistakes.ts';

/** A value as it may have been made, with the mistakes that explain it; none for the expected value. */
export interface Variant<Value> {
  value: Value;
  mistakes: readonly MistakeCode[];
}

/** Most mistakes that are combined: with more, a match would be weak evidence. */
export const mostMistakes = 2;

/** Returns the variant without a mistake. */
export function expected<Value>(value: Value): Variant<Value> {
  return { value, mistakes: [] };
}

/** Returns a variant with one mistake, or an empty list if there is no value. */
export function mistaken<Value>(code: MistakeCode, value: Value | undefined): Variant<Value>[] {
  return value === undefined ? [] : [{ value, mistakes: [code] }];
}

/** Returns a variant for each row of a table of mistakes of which `make` makes a value. */
export function mistakenBy<Row, Value>(
  table: { readonly [Code in MistakeCode]?: Row },
  make: (row: Row) => Value | undefined,
): Variant<Value>[] {
  const rows = Object.entries(table) as [MistakeCode, Row][];
  return rows.flatMap(([code, row]) => mistaken(code, make(row)));
}

/** Combines each variant of one list with each of the other, up to `mostMistakes` in all; skips pairs without a joined value. */
export function combine<One, Other, Joined>(
  ones: readonly Variant<One>[],
  others: readonly Variant<Other>[],
  join: (one: One, other: Other) => Joined | undefined,
): Variant<Joined>[] {
  return ones.flatMap((one) =>
    others.flatMap((other): Variant<Joined>[] => {
      const mistakes = [...one.mistakes, ...other.mistakes];
      if (mistakes.length > mostMistakes) return [];
      const value = join(one.value, other.value);
      return value === undefined ? [] : [{ value, mistakes }];
    }),
  );
}

/** Sorts variants, fewest mistakes first, otherwise in their order. */
export function byMistakes<Value>(variants: readonly Variant<Value>[]): Variant<Value>[] {
  return [...variants].sort((one, other) => one.mistakes.length - other.mistakes.length);
}

/** Sorts variants, fewest mistakes first; of those with the same value, keeps only the first. */
export function simplest<Value>(
  variants: readonly Variant<Value>[],
  identity: (value: Value) => string,
): Variant<Value>[] {
  const found = new Map<string, Variant<Value>>();
  for (const variant of byMistakes(variants)) {
    const key = identity(variant.value);
    if (!found.has(key)) found.set(key, variant);
  }
  return [...found.values()];
}
