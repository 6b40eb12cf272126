import type { FaultScript } from '../../../src/service/faults/fault.ts';
import { readFaultScript } from '../../../src/service/faults/read-fault-script.ts';

/** The fault script of a JSON text that has no faults. */
export function scriptOf(json: string): FaultScript {
  const reading = readFaultScript(json);
  if ('script' in reading) return reading.script;
  throw new Error(JSON.stringify(reading.faults));
}
