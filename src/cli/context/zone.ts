import { isTimeZone } from '../../contract/time.ts';
import type { CommandContext } from './context.ts';

/** IANA time zone of the times that a person reads and writes: that of the machine, unless `TZ` names one. */
export function zoneOf({ zone, env }: Pick<CommandContext, 'zone' | 'env'>): string {
  if (zone !== undefined) return zone;
  // Node.js itself uses UTC for a `TZ` in other letters, such as europe/berlin, and reports no zone for one that is not valid.
  const names = [zoneVariable(env), Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined];
  const name = names.find((name) => name !== undefined && isTimeZone(name)) ?? 'UTC';
  return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
}

/** What `TZ` says, whether it is a zone or not; `undefined` if that is nothing. */
export function zoneVariable({ TZ }: CommandContext['env']): string | undefined {
  return TZ?.replace(/^:/, '') || undefined;
}
