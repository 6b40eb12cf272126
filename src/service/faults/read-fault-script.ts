import { companions, operations } from '../../contract/operations.ts';
import { readConditions } from './conditions.ts';
import { readDeed } from './deeds.ts';
import type { FaultScript } from './fault.ts';
import { FaultScriptError } from './fault-script-error.ts';
import { fields, listOf, listOr, type Mistake, oneOf, text, wholeFrom } from './fields.ts';

const operation = oneOf('*', ...Object.keys({ ...operations, ...companions }));

const readScript = fields(
  {
    faults: listOf(
      fields(
        { operation: listOr(operation, listOf(operation)), do: readDeed },
        { when: readConditions, note: text },
      ),
    ),
  },
  { seed: wholeFrom(0, 2 ** 32 - 1), note: text },
);

/**
 * Reads a fault script, the file of `serve --faults`:
 *
 *     { "seed": 1, "faults": [{ "operation": "importHashedUser", "when": { "every": 10 }, "do": { "status": 503 } }] }
 *
 * `operation`: a name of the contract's operations or companions, a list of them, or `"*"`.
 *
 * `when`: counts the calls of these operations together, from 1. `nth` (a number or a list), `every`, `from`, `to`,
 * `probability` (0 to 1, repeatable by `seed`, default 1); several must all hold; left out: every call.
 *
 * `do`, exactly one of:
 * - `latency_ms`: 200 or [50, 500]; waits before the handler, with `after_commit: true` before the answer
 * - `status`: 429, 500, 502, 503 or 504; `body`: `"json"` of the API (default of 429 and 500) or `"html"` of a
 *   gateway; `retry_after` (429, 503): seconds, or `{ "date_in": seconds }` for the form of a date;
 *   `after_commit: true`: the call is carried out first
 * - `reset`: `"before_commit"` or `"after_commit"`: the connection is reset
 * - `cut_reply`: true: half of the answer
 * - `html`: true: a page with status 200 instead of an answer; `after_commit`
 * - `expire_token`: true: the bearer of this call is refused from now on
 * - `hidden_rate_limit`: `{ per_second, burst, schedule: [{ after_s, per_second }], retry_after: true }`: 429 beyond
 *
 * `note` may stand in the file and in a fault. All faults count every call, in file order; latencies add up, and the
 * first ending decides. Throws `FaultScriptError` with every mistake and its path.
 */
export function readFaultScript(json: string): FaultScript {
  const mistakes: Mistake[] = [];
  const script = readScript(parse(json), '', mistakes);
  if (!script) throw new FaultScriptError(mistakes);
  const faults = script.faults.map((fault) => {
    const names = [fault.operation].flat();
    return {
      operations: names.includes('*') ? undefined : new Set(names),
      conditions: fault.when ?? [],
      deed: fault.do,
    };
  });
  return { seed: script.seed ?? 1, faults };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new FaultScriptError([{ path: '', reason: `is not JSON: ${String(cause)}` }]);
  }
}
