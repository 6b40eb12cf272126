import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from '../errors/api-error.ts';
import { credentialsOf } from './credentials.ts';

/** Callers that are remembered at once; those that have their whole burst again are forgotten first. */
const mostCallers = 10_000;

/** Takes one request of a caller: 0 when it may pass, else the milliseconds until it may. */
export type RateLimit = (caller: string) => number;

/**
 * A bucket for each caller that holds one second's requests and fills evenly: so many a second in the long run,
 * as many at once after a pause. Own code, since windows as of `@fastify/rate-limit` let twice as many pass
 * around their edge, and keep time by another clock than the service's.
 */
export function openRateLimit(perSecond: number, now: () => number): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();

  /** What a bucket holds by now. */
  const filled = ({ left, at }: { left: number; at: number }, time: number) =>
    Math.min(perSecond, left + (Math.max(0, time - at) * perSecond) / 1000);

  function makeRoom(time: number): void {
    for (const [caller, bucket] of buckets) if (filled(bucket, time) >= perSecond) buckets.delete(caller);
    if (buckets.size >= mostCallers) buckets.clear();
  }

  return (caller) => {
    const time = now();
    const known = buckets.get(caller);
    if (!known && buckets.size >= mostCallers) makeRoom(time);
    const held = known ? filled(known, time) : perSecond;
    const left = held >= 1 ? held - 1 : held;
    buckets.set(caller, { left, at: time });
    return held >= 1 ? 0 : Math.ceil(((1 - held) * 1000) / perSecond);
  };
}

/** Refuses with `rateLimited` and `Retry-After`, in whole seconds, what a caller sends over the limit. */
export function limitRate(limit: RateLimit) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const wait = limit(callerOf(request));
    if (wait > 0) {
      reply.header('retry-after', String(Math.ceil(wait / 1000)));
      done(apiError('rateLimited'));
    } else done();
  };
}

/**
 * An application by its proved id. Before that by address and claimed id: nobody can use up the requests of
 * another, and applications behind one proxy do not share theirs.
 */
function callerOf(request: FastifyRequest): string {
  if (request.clientId !== '') return `application ${request.clientId}`;
  const claimed = credentialsOf(request).client_id ?? request.headers['x-client-id'];
  return `address ${request.ip} ${String(claimed ?? '').slice(0, 64)}`;
}
