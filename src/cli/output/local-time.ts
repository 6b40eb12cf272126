import { formatWithOffset } from '../../contract/time.ts';

/** Formats epoch milliseconds for people, in a time zone: `2026-11-23 22:00 +01:00`. */
export function describeMoment(time: number, zone: string): string {
  return withoutSeconds(formatWithOffset(time, zone));
}

/** Formats an ISO 8601 time with offset for people: `2026-11-23 22:00 +01:00`. */
export function withoutSeconds(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} ${iso.slice(19)}`;
}
