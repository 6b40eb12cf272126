import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from '../errors/api-error.ts';
import { readCredentials } from './authenticate.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';

/** Most callers with a bucket. When there are more, those with a full bucket are removed first. */
const mostCallers = 10_000;

/** Counts one request of a caller: 0 when it may pass, else the milliseconds until it may. */
export type RateLimit = (caller: string) => number;

/**
 * Gives each caller a token bucket of one second's requests. This is own code, since the windows of
 * `@fastify/rate-limit` let twice as many requests pass around their edges, and use another clock than the service.
 */
export function openRateLimit(perSecond: number, now: () => number): RateLimit {
  const started = now();
  const buckets = new Map<string, TokenBucket>();

  function makeRoom(elapsed: number): void {
    for (const [caller, bucket] of buckets) if (bucket.isFull(elapsed)) buckets.delete(caller);
    if (buckets.size >= mostCallers) buckets.clear();
  }

  return (caller) => {
    const elapsed = now() - started;
    let bucket = buckets.get(caller);
    if (!bucket) {
      if (buckets.size >= mostCallers) makeRoom(elapsed);
      bucket = createTokenBucket([{ from: 0, perSecond }]);
      buckets.set(caller, bucket);
    }
    return Math.ceil(bucket.acquire(elapsed));
  };
}

/** Rejects what a caller sends beyond the limit with `rateLimited`, and `Retry-After` in whole seconds. */
export function limitRate(limit: RateLimit) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const wait = limit(nameCaller(request));
    if (wait > 0) {
      reply.header('retry-after', String(Math.ceil(wait / 1000)));
      done(apiError('rateLimited'));
    } else done();
  };
}

/**
 * An application is known by its id once it is authenticated, and by its address and claimed id before. So nobody can use
 * up the requests of another application, and applications behind one proxy do not share theirs.
 */
function nameCaller(request: FastifyRequest): string {
  if (request.clientId !== '') return `application ${request.clientId}`;
  const claimed = readCredentials(request).client_id ?? request.headers['x-client-id'];
  return `address ${request.ip} ${String(claimed ?? '').slice(0, 64)}`;
}
