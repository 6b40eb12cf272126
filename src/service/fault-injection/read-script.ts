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
import type { Condition, Fault, FaultScript } from './fault.ts';

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
  // All of these conditions must hold.
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
  v.transform(({ operation, when, do: action }): Fault => {
    const names = [operation].flat();
    return { operations: names.includes('*') ? undefined : new Set(names), conditions: when, action };
  }),
);

const script = object({ seed: v.optional(integer(0, 2 ** 32 - 1), 1), faults: listOf(fault), note });

/**
 * Reads a fault script, the file of `serve --faults`:
 *
 *     { "seed": 1, "faults": [{ "operation": "importHashedUser", "when": { "every": 10 }, "do": { "status": 503 } }] }
 *
 * `operation`: a name of the contract's operations or companions, a list of them, or `"*"`.
 *
 * `when`: counts the calls of these operations together, from 1. `nth` (a number or a list), `every`, `from`, `to`,
 * `probability` (0 to 1, repeatable with `seed`, default 1). All conditions must hold; without `when` every call counts.
 *
 * `do`, exactly one of:
 * - `latency_ms`: 200 or [50, 500]; waits before the handler, with `after_commit: true` before the answer
 * - `status`: 429, 500, 502, 503 or 504; `body`: `"json"` of the API (default of 429 and 500) or `"html"` of a
 *   gateway; `retry_after` (429, 503): seconds, or `{ "date_in": seconds }` for the form of a date;
 *   `after_commit: true`: the call is carried out first
 * - `reset`: `"before_commit"` or `"after_commit"`: the connection is reset
 * - `cut_reply`: true: half of the answer
 * - `html`: true: a page with status 200 instead of an answer; `after_commit`
 * - `expire_token`: true: the bearer of this call is rejected from now on
 * - `hidden_rate_limit`: `{ per_second, burst, schedule: [{ after_s, per_second }], retry_after: true }`: 429 beyond
 *
 * The file and each fault can have a `note`. All faults count every call, in file order; latencies add up, and the first
 * ending applies. For an invalid script all issues are returned.
 */
export function readFaultScript(json: string): Reading<FaultScript> {
  return readJson(json, script);
}
