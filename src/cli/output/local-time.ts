import { formatWithOffset } from '../../contract/time.ts';
import type { CommandContext } from '../context/context.ts';

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

/** Formats epoch milliseconds for people, in a time zone: `2026-11-23 22:00 +01:00`. */
export function describeMoment(time: number, zone: string): string {
  return withoutSeconds(formatWithOffset(time, zone));
}

/** Formats an ISO 8601 time with offset for people: `2026-11-23 22:00 +01:00`. */
export function withoutSeconds(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} ${iso.slice(19)}`;
}
