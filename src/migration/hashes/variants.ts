import type { MistakeCode } from './mistakes.ts';

/** Something as it may have been made, and the mistakes that making it so takes; none for the right way. */
export interface Choice<Value> {
  value: Value;
  mistakes: readonly MistakeCode[];
}

/** Most mistakes that are looked for together: with more, a fit would prove little. */
export const mostMistakes = 2;

/** The right way. */
export function right<Value>(value: Value): Choice<Value> {
  return { value, mistakes: [] };
}

/** A way that takes one mistake; none at all where there is no value. */
export function wrong<Value>(code: MistakeCode, value: Value | undefined): Choice<Value>[] {
  return value === undefined ? [] : [{ value, mistakes: [code] }];
}

/** Each of one with each of the other, as far as that takes no more than `mostMistakes`; `join` may refuse. */
export function combine<One, Other, Joined>(
  ones: readonly Choice<One>[],
  others: readonly Choice<Other>[],
  join: (one: One, other: Other) => Joined | undefined,
): Choice<Joined>[] {
  return ones.flatMap((one) =>
    others.flatMap((other): Choice<Joined>[] => {
      const mistakes = [...one.mistakes, ...other.mistakes];
      if (mistakes.length > mostMistakes) return [];
      const value = join(one.value, other.value);
      return value === undefined ? [] : [{ value, mistakes }];
    }),
  );
}

/** Fewest mistakes first, otherwise in their order. */
export function byMistakes<Value>(choices: readonly Choice<Value>[]): Choice<Value>[] {
  return [...choices].sort((one, other) => one.mistakes.length - other.mistakes.length);
}

/** The same; of those that come to the same value only the first stays. */
export function simplest<Value>(
  choices: readonly Choice<Value>[],
  identity: (value: Value) => string,
): Choice<Value>[] {
  const kept = new Map<string, Choice<Value>>();
  for (const choice of byMistakes(choices)) {
    const key = identity(choice.value);
    if (!kept.has(key)) kept.set(key, choice);
  }
  return [...kept.values()];
}
