import { formatTime, parseTime } from '../../contract/time.ts';

/** The hours of the day in which an import sends rows. */
export interface SendingWindow {
  /** Minutes after midnight at which it opens and closes. If it closes earlier than it opens, it spans midnight. */
  from: number;
  to: number;
  /** IANA time zone of both times. */
  zone: string;
}

/** One stretch of time during which a window is open, in epoch milliseconds. */
interface OpenStretch {
  opens: number;
  closes: number;
}

const day = 86_400_000;
const minute = 60_000;

/** Returns the stretch of a window that contains `time`, otherwise the next one. */
export function stretchAt({ from, to, zone }: SendingWindow, time: number): OpenStretch {
  const today = Date.parse(`${formatTime(time, zone).slice(0, 10)}T00:00:00Z`);
  // Yesterday's stretch may still be open. A stretch that the change to summer time skips is left out.
  for (let date = today - day; ; date += day) {
    const opens = timeOf(date, from, zone);
    const closes = timeOf(to <= from ? date + day : date, to, zone);
    if (closes > Math.max(opens, time)) return { opens, closes };
  }
}

/** Returns when the wall clock shows `minutes` of a date (given as its midnight in UTC), or the first time after it if skipped. */
function timeOf(date: number, minutes: number, zone: string): number {
  for (let wall = date + minutes * minute; ; wall += minute) {
    const time = parseTime(formatTime(wall), zone);
    if (time !== undefined) return time;
  }
}

/** A time of day, such as `22:00`. */
export function wallTime(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The window as a person writes it, with its zone: `22:00-05:00 (Europe/Berlin)`. */
export function describeWindow({ from, to, zone }: SendingWindow): string {
  return `${wallTime(from)}-${wallTime(to)} (${zone})`;
}

/**
 * Returns when a run ends that begins now and sends for this many seconds, in epoch milliseconds, and how often its window opens for
 * it; 1 without a window.
 */
export function endOf(seconds: number, { now, window }: { now: number; window?: SendingWindow | undefined }) {
  let left = seconds * 1000;
  if (!window) return { end: now + left, openings: 1 };
  let time = now;
  for (let openings = 1; ; openings += 1) {
    const { opens, closes } = stretchAt(window, time);
    const begin = Math.max(time, opens);
    if (left <= closes - begin) return { end: begin + left, openings };
    left -= closes - begin;
    time = closes;
  }
}

/** Seconds of sending from which on a pace is not believed: it may be that of the first row after a closed window. */
const longest = 10_000_000;

/** Returns how long a run still lasts that sends for this many seconds; `undefined` if nobody can know. */
export function secondsLeft(seconds: number, at: Parameters<typeof endOf>[1]): number | undefined {
  return seconds < longest ? (endOf(seconds, at).end - at.now) / 1000 : undefined;
}

export type WindowGate = ReturnType<typeof createWindowGate>;

/**
 * Lets the rows of a run begin only while its window is open. `now`: epoch milliseconds, because a window depends on the wall
 * clock.
 */
export function createWindowGate(window: SendingWindow, now: () => number) {
  const listeners: ((opensAt: number | undefined) => void)[] = [];
  let stretch: OpenStretch | undefined;
  let last: OpenStretch | undefined;
  let closedSince: number | undefined;
  let closed = 0;

  function change(time: number, isClosed: boolean): void {
    if (isClosed === (closedSince !== undefined)) return;
    if (closedSince !== undefined) closed += Math.max(time - closedSince, 0);
    // `wait` is called some time after the window closed, so the closing time comes from the stretch.
    closedSince = isClosed ? Math.min(time, last?.closes ?? time) : undefined;
    for (const listener of listeners) listener(isClosed ? stretch?.opens : undefined);
  }

  return {
    window,
    /** Milliseconds until rows may begin; 0 while the window is open. */
    wait(): number {
      const time = now();
      // Finding a stretch is slow, and this is called for every row. The clock may be set back.
      if (!stretch || time < stretch.opens || time >= stretch.closes) {
        last = stretch;
        stretch = stretchAt(window, time);
      }
      const wait = Math.max(stretch.opens - time, 0);
      change(time, wait > 0);
      return wait;
    },
    /** When the window opens, in epoch milliseconds; `undefined` while it is open. As of the last `wait`. */
    opensAt: () => (closedSince === undefined ? undefined : stretch?.opens),
    /** Seconds of the run during which the window was closed. */
    closedSeconds: () => (closed + (closedSince === undefined ? 0 : Math.max(now() - closedSince, 0))) / 1000,
    /** Calls `listener` when the window closes, with the time at which it opens again, and with `undefined` when it opens. */
    onChange: (listener: (opensAt: number | undefined) => void) => void listeners.push(listener),
  };
}
