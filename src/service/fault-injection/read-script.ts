import { companions, operations } from '../../contract/operations.ts';
import type { JsonIssue } from '../json/issue.ts';
import {
  listOf,
  listOr,
  needed,
  note,
  number,
  object,
  oneOf,
  optional,
  type Reader,
  readJson,
  text,
  whole,
} from '../json/readers.ts';
import { readAction } from './actions.ts';
import type { Action, Condition, FaultScript } from './fault.ts';

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
const readConditions: Reader<Condition[]> = (value, place) => {
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

const operation = oneOf(['*', ...Object.keys({ ...operations, ...companions })]);
const comment = text(() => true, 'a text');

interface Entry {
  operation: string | string[];
  when?: Condition[];
  do: Action;
  note?: string;
}

const entry = object<Entry>({
  operation: needed(listOr(operation, listOf(operation))),
  when: optional(readConditions),
  do: needed(readAction),
  note: optional(comment),
});

const readScript = object<{ seed?: number; faults: Entry[]; note?: string }>({
  seed: optional(whole(0, 2 ** 32 - 1)),
  faults: needed(listOf(entry)),
  note: optional(comment),
});

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
export function readFaultScript(json: string): { script: FaultScript } | { faults: JsonIssue[] } {
  const reading = readJson(json, readScript);
  if ('faults' in reading) return reading;
  const { seed = 1, faults } = reading.value;
  const entries = faults.map((fault) => {
    const names = [fault.operation].flat();
    return {
      operations: names.includes('*') ? undefined : new Set(names),
      conditions: fault.when ?? [],
      action: fault.do,
    };
  });
  return { script: { seed, faults: entries } };
}
