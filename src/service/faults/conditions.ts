import { listOf, listOr, note, number, object, optional, type Reader, whole } from '../json/readers.ts';
import type { Condition } from './fault.ts';

const call = whole(1, 1e9);

/** The fields of `when`. */
interface When {
  nth?: number | number[];
  every?: number;
  from?: number;
  to?: number;
  probability?: number;
}

const readWhen = object<When>(
  {
    nth: optional(listOr(call, listOf(call))),
    every: optional(call),
    from: optional(call),
    to: optional(call),
    probability: optional(number(0, 1)),
  },
  {
    check({ from = 1, to = from }, place) {
      if (to < from) note(place, 'must not end (to) before it begins (from)');
    },
  },
);

/** Reads `when` into its conditions; together they must hold. */
export const readConditions: Reader<Condition[]> = (value, place) => {
  const when = readWhen(value, place);
  if (!when) return undefined;
  const { nth, every, from, to, probability } = when;
  const conditions: Condition[] = [];
  if (nth !== undefined) conditions.push((number) => [nth].flat().includes(number));
  if (every !== undefined) conditions.push((number) => number % every === 0);
  if (from !== undefined) conditions.push((number) => number >= from);
  if (to !== undefined) conditions.push((number) => number <= to);
  if (probability !== undefined) conditions.push((_number, random) => random() < probability);
  return conditions;
};
