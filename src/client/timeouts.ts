/** A request under way that must not take longer than the limit. */
export interface TimedRequest {
  /** Where it stands in the queue, which alone sets it: counted from the first request on, -1 outside of it. */
  place: number;
  /** Called once, when its time is over. */
  expire(): void;
}

/** Ends requests that take longer than the limit that all have in common. */
export interface TimeoutQueue<Timed extends TimedRequest = TimedRequest> {
  begin(request: Timed): void;
  /** False, and without effect, for a request that has not begun, or has ended. */
  end(request: Timed): boolean;
  /** The requests under way, in the order in which they began. */
  underWay(): Timed[];
}

const fewest = 64;

/**
 * Keeps the deadlines of many requests with one timer of Node, exact to some milliseconds; the timers of undici are late by up to
 * a second. All have the same limit (milliseconds), so the first to begin expires first. They stand in a ring: each table that
 * a map outgrows keeps the requests of its time until V8 searches all memory for garbage.
 */
export function createTimeoutQueue<Timed extends TimedRequest>(limit: number): TimeoutQueue<Timed> {
  let ring = new Array<Timed | undefined>(fewest);
  /** In milliseconds of `monotonic()`. */
  let deadlines = new Float64Array(fewest);
  /** From the place of the first request to the one behind the last; the length of the ring is a power of two. */
  let first = 0;
  let next = 0;
  let timer: NodeJS.Timeout | undefined;

  const indexOf = (place: number) => place & (ring.length - 1);

  function wakeIn(wait: number): NodeJS.Timeout {
    // What is under way holds the process by itself; the timer must not.
    return setTimeout(sweep, Math.ceil(wait)).unref();
  }

  function sweep() {
    timer = undefined;
    for (;;) {
      // The first place is always taken. Whoever expires may end others, and begin new ones.
      const request = ring[indexOf(first)];
      if (!request) return;
      const left = (deadlines[indexOf(first)] ?? 0) - monotonic();
      if (left > 0) {
        if (!timer) timer = wakeIn(left);
        return;
      }
      end(request);
      request.expire();
    }
  }

  function begin(request: Timed): void {
    end(request);
    if (next - first === ring.length) makeRoom();
    put(request, monotonic() + limit);
    if (!timer) timer = wakeIn(limit);
  }

  function put(request: Timed, deadline: number): void {
    ring[indexOf(next)] = request;
    deadlines[indexOf(next)] = deadline;
    request.place = next;
    next += 1;
  }

  function end(request: Timed): boolean {
    if (request.place < first) return false;
    ring[indexOf(request.place)] = undefined;
    request.place = -1;
    while (first < next && !ring[indexOf(first)]) first += 1;
    return true;
  }

  function underWay(): Timed[] {
    const found: Timed[] = [];
    for (let place = first; place < next; place += 1) {
      const request = ring[indexOf(place)];
      if (request) found.push(request);
    }
    return found;
  }

  /** Closes the gaps, in a ring twice as long where more than half of it is in use. */
  function makeRoom(): void {
    const requests = underWay().map((request) => ({
      request,
      deadline: deadlines[indexOf(request.place)] ?? 0,
    }));
    const length = requests.length > ring.length / 2 ? 2 * ring.length : ring.length;
    ring = new Array<Timed | undefined>(length);
    deadlines = new Float64Array(length);
    first = next;
    for (const { request, deadline } of requests) put(request, deadline);
  }

  return { begin, end, underWay };
}

/** Milliseconds that never go back, as those of `performance`, which takes long to load. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
