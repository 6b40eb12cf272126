/** A running request with a time limit. */
export interface TimedRequest {
  /** Set only by the queue: position of the request, counted from the first request on; -1 outside the queue. */
  place: number;
  /** Called once if the request exceeds its time limit. */
  expire(): void;
}

const fewest = 64;

/** Expires requests that take longer than a common time limit. */
export type TimeoutQueue = ReturnType<typeof createTimeoutQueue<TimedRequest>>;

/**
 * Keeps the deadlines of many requests with a single timer, exact to some milliseconds; undici's timers are late by up to a second.
 * All requests have the same limit (milliseconds), so the first to begin expires first. They are kept in a ring, not in a map: each
 * table that a map outgrows would keep its requests in memory until V8's next full garbage collection.
 */
export function createTimeoutQueue<Timed extends TimedRequest>(limit: number) {
  let ring = new Array<Timed | undefined>(fewest);
  /** Milliseconds as of `monotonic()`. */
  let deadlines = new Float64Array(fewest);
  /** Place of the first request, and the place after the last; the length of the ring is a power of two. */
  let first = 0;
  let next = 0;
  let timer: NodeJS.Timeout | undefined;

  const indexOf = (place: number) => place & (ring.length - 1);

  function wakeIn(wait: number): NodeJS.Timeout {
    // The running requests keep the process alive; the timer must not.
    return setTimeout(sweep, Math.ceil(wait)).unref();
  }

  function sweep() {
    timer = undefined;
    for (;;) {
      // The first place is never empty while requests are running. `expire` may end other requests, and begin new ones.
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

  /** Removes a request. Returns false, without any effect, if it has not begun or has already ended. */
  function end(request: Timed): boolean {
    if (request.place < first) return false;
    ring[indexOf(request.place)] = undefined;
    request.place = -1;
    while (first < next && !ring[indexOf(first)]) first += 1;
    return true;
  }

  /** Returns the running requests in the order in which they began. */
  function underWay(): Timed[] {
    const found: Timed[] = [];
    for (let place = first; place < next; place += 1) {
      const request = ring[indexOf(place)];
      if (request) found.push(request);
    }
    return found;
  }

  /** Closes the gaps. Doubles the ring if more than half of it is in use. */
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

/** Monotonic milliseconds like `performance.now()`, but `performance` takes long to load. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
