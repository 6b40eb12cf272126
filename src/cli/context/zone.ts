import type { CommandContext } from './context.ts';

/** IANA time zone of the times that a person reads and writes. */
export function zoneOf({ zone }: Pick<CommandContext, 'zone'>): string {
  return zone ?? systemZone();
}

/** The time zone of the system. If `TZ` is not a valid zone, Node.js uses UTC, and reports none or one that it does not accept. */
function systemZone(): string {
  const zone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone ?? 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
