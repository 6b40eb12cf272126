import type { FastifyRequest } from 'fastify';
import { companions, operations } from '../../contract/operations.ts';
import type { Guard } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import { readCredentials } from './authenticate.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';

/** Maximum number of callers with a bucket. If there are more, full buckets are removed first. */
const mostCallers = 10_000;

/** Counts one request of a caller. Returns 0 if it may pass, otherwise the milliseconds until it may. */
export type RateLimit = (caller: string) => number;

/**
 * Gives each caller a token bucket of size `burst`, by default the requests of one second. `@fastify/rate-limit` is not used
 * because its windows let twice as many requests pass around their edges, and use another clock than the service.
 */
export function openRateLimit(perSecond: number, now: () => number, burst?: number): RateLimit {
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
      bucket = createTokenBucket([{ from: 0, perSecond }], burst);
      buckets.set(caller, bucket);
    }
    return Math.ceil(bucket.acquire(elapsed));
  };
}

/** Returns a hook that rejects a caller's requests beyond the limit with `rateLimited`, and `Retry-After` in whole seconds. */
export function limitRate(limit: RateLimit, nameOf = nameCaller): Guard {
  return (request, reply, done) => {
    const wait = limit(nameOf(request));
    if (wait > 0) reply.header('retry-after', String(Math.ceil(wait / 1000)));
    done(wait > 0 ? apiError('rateLimited') : undefined);
  };
}

/** Returns a hook that limits the requests of one address, whatever id it claims (decision 41). */
export function limitAddresses(limit: RateLimit): Guard {
  return limitRate(limit, ({ ip }) => networkOf(ip));
}

/** Returns the network of an address, because an IPv6 caller usually has 2^64. A caller that has hung up has no address. */
function networkOf(address = ''): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0');
  return [...groups, ...zeros, ...after].slice(0, 4).join(':');
}

/**
 * Returns the name under which a caller's requests are counted: its client id once it is authenticated. Before, its address and the
 * id that the operation uses (of a login the header, of a token call the credentials, of others nothing). So nobody can use up the
 * requests of another application, or get more by claiming an id that the operation ignores.
 */
function nameCaller(request: FastifyRequest): string {
  if (request.clientId !== '') return `application ${request.clientId}`;
  const { url } = request.routeOptions;
  let id: unknown = '';
  if (url === companions.logIn.url) id = request.headers['x-client-id'];
  // Decoded, because an id that is written in another way is the same application.
  if (url === operations.obtainToken.url) id = readCredentials(request, true).client_id;
  return `address ${networkOf(request.ip)} ${String(id || '').slice(0, 64)}`;
}
