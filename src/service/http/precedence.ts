import type { FastifyReply } from 'fastify';

/** A hook that lets every request pass, some of them later. */
type Hook = (request: unknown, reply: Pick<FastifyReply, 'raw'>, done: () => void) => void;

/** Lets logins and token calls go before the requests of applications that have their token. */
export interface Precedence {
  /** Of those that go first, once their body is there: a caller that sends half a body holds nobody up. */
  take: Hook;
  /** Of all others: while one of the first is under way, only a few of these begin in one turn of the event loop. */
  give: Hook;
}

/** Requests that begin in one turn while somebody logs in: some two milliseconds of work. */
const perTurn = 16;

/**
 * Opens it. A login takes about ten turns of the event loop, for its queries, its commits, the comparison and the
 * signature, and beside an import each turn would be as long as the work for hundreds of rows.
 */
export function openPrecedence(): Precedence {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  let isPlanned = false;

  function planTurn(): void {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(beginSome);
  }

  function beginSome(): void {
    isPlanned = false;
    const count = underWay > 0 ? perTurn : waiting.length;
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
      });
      done();
    },
    give(_request, _reply, done) {
      if (underWay === 0 && waiting.length === 0) done();
      else {
        waiting.push(done);
        planTurn();
      }
    },
  };
}
