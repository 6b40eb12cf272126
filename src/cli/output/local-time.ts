import { formatWithOffset } from '../../contract/time.ts';
import type { CommandContext } from '../context/context.ts';

/** The zone of the times that a person reads and writes. */
export function zoneOf({ zone }: Pick<CommandContext, 'zone'>): string {
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Epoch milliseconds as a person reads them, in a zone: `2026-11-23 22:00 +01:00`. */
export function describeMoment(time: number, zone: string): string {
  const text = formatWithOffset(time, zone);
  return `${text.slice(0, 16).replace('T', ' ')} ${text.slice(19)}`;
}
