import type { FaultScript } from '../../../src/service/fault-injection/fault.ts';
import { readFaultScript } from '../../../src/service/fault-injection/read-script.ts';

/** The fault script of a JSON text that has no faults. */
export function scriptOf(json: string): FaultScript {
  const reading = readFaultScript(json);
  if ('script' in reading) return reading.script;
  throw new Error(JSON.stringify(reading.faults));
}
