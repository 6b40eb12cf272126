import { formatWithOffset } from '../../contract/time.ts';
import type { CommandContext } from '../context/context.ts';

/** The zone of the times that a person reads and writes. */
export function zoneOf({ zone }: Pick<CommandContext, 'zone'>): string {
  return zone ?? systemZone();
}

/** Where `TZ` names no zone, Node.js counts in UTC, and has no name for that or one that it does not take itself. */
function systemZone(): string {
  const zone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone ?? 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** Epoch milliseconds as a person reads them, in a zone: `2026-11-23 22:00 +01:00`. */
export function describeMoment(time: number, zone: string): string {
  return withoutSeconds(formatWithOffset(time, zone));
}

/** A time in ISO 8601 with its offset as a person reads it: `2026-11-23 22:00 +01:00`. */
export function withoutSeconds(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} ${iso.slice(19)}`;
}
