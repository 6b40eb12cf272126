import type { Faults } from '../../service/fault-injection/plan.ts';
import { formatCount } from '../../text/format-count.ts';
import { isLoopback } from '../config/base-url.ts';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { invalidFile, nameOf, readText } from '../input/read-input.ts';
import { linesFor, say } from '../output/show.ts';
import { paint } from '../output/styles.ts';

export const faultsHelp = `
--faults injects faults into the service's answers, on loopback only. The file is JSON:
  { "seed": 1,
    "faults": [{ "operation": "importHashedUser", "when": { "every": 10 },
                 "do": { "reset": "after_commit" } }] }
  operation  an API operation such as createUser, obtainToken or listUsers;
             a list of them; or "*"
  when       nth (3 or [3, 7]), every, from, to, probability (0.05), counted
             over all calls of these operations; several conditions must all
             hold; default: every call
  do         one of
             { "latency_ms": 200 } or [50, 500]; "after_commit": true delays
               the reply
             { "status": 429, "retry_after": 2 } or { "date_in": 2 };
               500, 502, 503, 504; "body": "json" or "html";
               "after_commit": true carries out the call first
             { "reset": "before_commit" } or "after_commit"
             { "cut_reply": true }, { "html": true }, { "expire_token": true }
             { "hidden_rate_limit": { "per_second": 200, "burst": 20,
               "retry_after": true,
               "schedule": [{ "after_s": 20, "per_second": 50 }] } }
Faults apply in order: latencies add up, the first fault of another kind ends the call.`;

/**
 * Reads the fault script of `serve --faults`, and always warns on stderr, so that faults are never injected unnoticed.
 * Throws a `UsageError` if the host is not loopback, or the file cannot be read or is invalid.
 */
export async function loadFaultScript(context: CommandContext, file: string, host: string): Promise<Faults> {
  if (!isLoopback(host)) {
    throw new UsageError(
      `--faults requires a loopback address, which ${host} is not`,
      'Remove --host or --faults.',
    );
  }
  const json = await readText(context, file);
  const { readFaultScript } = await import('../../service/fault-injection/read-script.ts');
  const { planFaults } = await import('../../service/fault-injection/plan.ts');
  const reading = readFaultScript(json);
  if ('issues' in reading) {
    const hint = 'The format of fault scripts: tenant-users serve --help';
    throw await invalidFile(nameOf(file), 'a valid fault script', reading.issues, hint);
  }
  const { value: script } = reading;
  const warning = [
    'tenant-users: WARNING: this service injects faults on purpose',
    `  fault script ${file}: ${formatCount(script.faults.length, 'fault')}, seed ${script.seed}`,
    '  calls are delayed, rejected, cut off or left without an answer; for tests only',
  ];
  context.stderr.write(`${paint(context, 'stderr', 'yellow', linesFor(context, warning.join('\n')))}\n`);
  return planFaults(script, context.now);
}

export function reportTriggered(context: CommandContext, faults: Faults): void {
  const counts = faults.triggered().map((times, index) => `faults[${index}] ${times}`);
  say(context, `Faults triggered: ${counts.join(', ')}`);
}
