import { type FaultScript, readFaultScript } from '../../../src/service/fault-injection/read-script.ts';

/** The fault script of a JSON text that is valid. */
export function scriptOf(json: string): FaultScript {
  const reading = readFaultScript(json);
  if ('value' in reading) return reading.value;
  throw new Error(JSON.stringify(reading.issues));
}
