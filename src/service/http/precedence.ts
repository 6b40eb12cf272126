import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** Requests that begin in one turn of the event loop while somebody logs in: about two milliseconds of work. */
const perTurn = 16;
/**
 * Milliseconds after the last login for which turns stay short. Otherwise all waiting requests would begin when the login ends, and
 * the next login would meet a turn as long as the work for hundreds of rows.
 */
const shortFor = 1000;

/**
 * Milliseconds between two short turns while more requests wait, with one or two cores: otherwise these requests and their sender
 * would keep both cores busy, and comparing a password would take several times as long.
 */
const betweenTurns = 10;

/**
 * Lets logins and token requests go before requests that have a token. A login takes several turns of the event loop, for its queries,
 * commits, comparison and signature; during an import each of them would otherwise be as long as the work for hundreds of rows. `now`:
 * monotonic clock in milliseconds.
 */
export function openPrecedence({
  cores = availableParallelism(),
  now = () => performance.now(),
  sleep = (milliseconds: number): Promise<unknown> => setTimeout(milliseconds),
} = {}) {
  const underWay = new Set<FastifyReply['raw']>();
  let lastEnded = Number.NEGATIVE_INFINITY;
  let waiting: (() => void)[] = [];
  let isPlanned = false;

  /** True while a login runs. It is over when its answer was written, even if the caller does not read it. */
  function isUnderWay(): boolean {
    for (const response of underWay) {
      if (!response.writableEnded) return true;
      underWay.delete(response);
      lastEnded = now();
    }
    return false;
  }

  const isShort = () => isUnderWay() || now() < lastEnded + shortFor;

  function planTurn(): void {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    if (cores <= 2 && waiting.length > perTurn && isUnderWay()) void sleep(betweenTurns).then(beginSome);
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
    /** Hook for requests that go first. Runs after their body has arrived, so that a caller that sends half a body delays nobody. */
    take(_request: unknown, { raw }: Pick<FastifyReply, 'raw'>, done: () => void): void {
      underWay.add(raw);
      // Also emitted when the caller hangs up.
      raw.once('close', () => {
        underWay.delete(raw);
        lastEnded = now();
      });
      done();
    },
    /** Hook for all others. While one of the first runs, and a second longer, only a few of these begin per event loop turn. */
    give(_request: unknown, _reply: unknown, done: () => void): void {
      if (waiting.length === 0 && !isShort()) done();
      else {
        waiting.push(done);
        planTurn();
      }
    },
  };
}
