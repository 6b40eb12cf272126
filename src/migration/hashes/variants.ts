import type { MistakeCode } from './mistakes.ts';

/** Something as it may have been made, and the mistakes that making it so takes; none for the right way. */
export interface Variant<Value> {
  value: Value;
  mistakes: readonly MistakeCode[];
}

/** Most mistakes that are looked for together: with more, a fit would prove little. */
export const mostMistakes = 2;

/** The right way. */
export function expected<Value>(value: Value): Variant<Value> {
  return { value, mistakes: [] };
}

/** A way that takes one mistake; none at all where there is no value. */
export function mistaken<Value>(code: MistakeCode, value: Value | undefined): Variant<Value>[] {
  return value === undefined ? [] : [{ value, mistakes: [code] }];
}

/** Each of one with each of the other, as far as that takes no more than `mostMistakes`; `join` may refuse. */
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

/** Fewest mistakes first, otherwise in their order. */
export function byMistakes<Value>(choices: readonly Variant<Value>[]): Variant<Value>[] {
  return [...choices].sort((one, other) => one.mistakes.length - other.mistakes.length);
}

/** The same; of those that come to the same value only the first stays. */
export function simplest<Value>(
  choices: readonly Variant<Value>[],
  identity: (value: Value) => string,
): Variant<Value>[] {
  const kept = new Map<string, Variant<Value>>();
  for (const choice of byMistakes(choices)) {
    const key = identity(choice.value);
    if (!kept.has(key)) kept.set(key, choice);
  }
  return [...kept.values()];
}
