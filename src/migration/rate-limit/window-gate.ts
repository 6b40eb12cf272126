import { type OpenStretch, type SendingWindow, stretchAt } from './sending-window.ts';

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
