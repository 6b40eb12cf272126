import { setTimeout } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** A hook that lets every request pass, some of them later. */
type Hook = (request: unknown, reply: Pick<FastifyReply, 'raw'>, done: () => void) => void;

/** Lets logins and token calls go before the requests of applications that have their token. */
export interface Precedence {
  /** Of those that go first, once their body is there: a caller that sends half a body holds nobody up. */
  take: Hook;
  /** Of all others: while one of the first is under way, and a second longer, only a few of these begin in one turn of the event loop. */
  give: Hook;
}

/** Requests that begin in one turn while somebody logs in: some two milliseconds of work. */
const perTurn = 16;
/**
 * Milliseconds after the last login for which turns stay short. Otherwise all that waited would begin when it ends, and the
 * next login would find a turn as long as hundreds of rows.
 */
const shortFor = 1000;

/** Milliseconds for which the others rest at most while the password of a login is compared; then some begin. */
const longestRest = 25;

/** What precedence is opened with; each has its default. */
export interface PrecedenceOptions {
  /**
   * Resolves when the passwords of logins that are compared now are done; `undefined` where none is, or where a core is
   * left for them. Meanwhile, more requests than begin in a turn rest: else a comparison shares its core with them and with
   * their sender, and takes several times as long.
   */
  comparing?: () => Promise<unknown> | undefined;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
  sleep?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Opens it. A login takes some turns of the event loop, for its queries, its commits, the comparison and the signature, and
 * beside an import each turn would be as long as the work for hundreds of rows.
 */
export function openPrecedence({
  comparing = () => undefined,
  now = () => performance.now(),
  sleep = setTimeout,
}: PrecedenceOptions = {}): Precedence {
  let underWay = 0;
  let lastEnded = Number.NEGATIVE_INFINITY;
  let waiting: (() => void)[] = [];
  let isPlanned = false;

  const isShort = () => underWay > 0 || now() < lastEnded + shortFor;

  function planTurn(): void {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    const compared = waiting.length > perTurn ? comparing() : undefined;
    if (compared) void Promise.race([compared, sleep(longestRest)]).then(beginSome);
    else setImmediate(beginSome);
  }

  function beginSome(): void {
    isPlanned = false;
    const count = isShort() ? perTurn : waiting.length;
    const first = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const begin of first) begin();
    planTurn();
  }

  return {
    take(_request, { raw }, done) {
      underWay += 1;
      // Also when the caller hangs up.
      raw.once('close', () => {
        underWay -= 1;
        lastEnded = now();
      });
      done();
    },
    give(_request, _reply, done) {
      if (waiting.length === 0 && !isShort()) done();
      else {
        waiting.push(done);
        planTurn();
      }
    },
  };
}
