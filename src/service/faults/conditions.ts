import type { Condition } from './fault.ts';
import { fields, listOf, listOr, numberFrom, type Read, sound, wholeFrom } from './fields.ts';

const call = wholeFrom(1, 1e9);

/** The fields of `when`. */
const rows = {
  nth: listOr(call, listOf(call)),
  every: call,
  from: call,
  to: call,
  probability: numberFrom(0, 1),
};

const readRows = sound(fields({}, rows), ({ from = 1, to = from }) =>
  to < from ? 'must not end (to) before it begins (from)' : undefined,
);

/** Reads `when` into its conditions; together they must hold. */
export const readConditions: Read<Condition[]> = (value, path, mistakes) => {
  const when = readRows(value, path, mistakes);
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
