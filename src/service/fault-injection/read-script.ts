import * as v from 'valibot';
import { endpoints } from '../../contract/operations.ts';
import {
  crossCheck,
  integer,
  listOf,
  numberUpTo,
  object,
  oneOf,
  oneOrList,
  string,
} from '../json/file-schemas.ts';
import { readJson } from '../json/read-json.ts';
import type { Reading } from '../json/read-value.ts';
import { anyAction } from './actions.ts';

/** True if the fault applies to the call of this number, counted from 1. */
type Condition = (number: number, random: () => number) => boolean;

const call = integer(1, 1e9);

const when = v.pipe(
  object({
    nth: v.exactOptional(oneOrList(call, listOf(call))),
    every: v.exactOptional(call),
    from: v.exactOptional(call),
    to: v.exactOptional(call),
    probability: v.exactOptional(numberUpTo(1)),
  }),
  crossCheck(({ from = 1, to = from }, report) => {
    if (to < from) report('must not end (to) before it begins (from)');
  }),
  // All of these conditions must hold: without any, every call counts.
  v.transform(({ nth, every, from, to, probability }) => {
    const conditions: Condition[] = [];
    if (nth !== undefined) conditions.push((number) => [nth].flat().includes(number));
    if (every !== undefined) conditions.push((number) => number % every === 0);
    if (from !== undefined) conditions.push((number) => number >= from);
    if (to !== undefined) conditions.push((number) => number <= to);
    if (probability !== undefined) conditions.push((_number, random) => random() < probability);
    return conditions;
  }),
);

const operation = oneOf(['*', ...Object.keys(endpoints)]);
const note = v.exactOptional(string(() => true, 'a text'));

const fault = v.pipe(
  object({
    operation: oneOrList(operation, listOf(operation)),
    when: v.optional(when, {}),
    do: anyAction,
    note,
  }),
  v.transform(({ operation, when: conditions, do: action }) => {
    const names = [operation].flat();
    return { appliesTo: (name: string) => names.includes('*') || names.includes(name), conditions, action };
  }),
);

const script = object({ seed: v.optional(integer(0, 2 ** 32 - 1), 1), faults: listOf(fault), note });

/** A parsed fault script. Its faults have state, so it must be parsed again for another run. */
export type FaultScript = v.InferOutput<typeof script>;

/** Reads a fault script, the file of `serve --faults`, whose help describes it. For an invalid script all issues are returned. */
export function readFaultScript(json: string): Reading<FaultScript> {
  return readJson(json, script);
}
