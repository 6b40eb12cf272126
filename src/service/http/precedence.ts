import { availableParallelism } from 'node:os';
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

/**
 * Milliseconds between two such turns while more wait, with one or two cores: these requests and their sender would keep both
 * busy, and the comparison of a password takes several times as long on what is left.
 */
const betweenTurns = 10;

/** What precedence is opened with; each has its default. */
export interface PrecedenceOptions {
  cores?: number;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
  sleep?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Opens it. A login takes some turns of the event loop, for its queries, its commits, the comparison and the signature, and
 * beside an import each turn would be as long as the work for hundreds of rows.
 */
export function openPrecedence({
  cores = availableParallelism(),
  now = () => performance.now(),
  sleep = setTimeout,
}: PrecedenceOptions = {}): Precedence {
  const underWay = new Set<FastifyReply['raw']>();
  let lastEnded = Number.NEGATIVE_INFINITY;
  let waiting: (() => void)[] = [];
  let isPlanned = false;

  /** Who does not read an answer that is there holds nobody up. */
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
    take(_request, { raw }, done) {
      underWay.add(raw);
      // Also when the caller hangs up.
      raw.once('close', () => {
        underWay.delete(raw);
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
