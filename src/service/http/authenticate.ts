import type { FastifyRequest } from 'fastify';
import type { ServiceContext } from '../context/context.ts';
import type { Guard } from '../context/route.ts';
import { type ErrorReply, tokenError } from '../errors/api-error.ts';
import type { TokenOwner } from '../storage/access/tokens.ts';
import type { Tenant } from '../tenant/definition.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The tenant of the bearer token; set by `requireBearer`, so only routes behind it can use it. */
    tenant: Tenant;
    /** Client id of the calling application; `''` until it is authenticated. */
    clientId: string;
  }
}

/**
 * Returns a hook that rejects requests without a valid token (`invalid_token`, §5.3) or scope (`insufficient_scope`), and sets
 * `tenant` and `clientId`. Cached tokens are checked in the same tick of the event loop. `limitFailures` limits rejected requests.
 */
export function requireBearer(context: ServiceContext, limitFailures?: Guard): Guard {
  function attach(request: FastifyRequest, owner: TokenOwner | undefined): ErrorReply | undefined {
    const tenant = owner && context.tenants.get(owner.tenant);
    if (!tenant) return tokenError('invalid_token');
    request.tenant = tenant;
    request.clientId = owner.clientId;
    const isPermitted = owner.scope === 'all' || request.routeOptions.config.reads;
    return isPermitted ? undefined : tokenError('insufficient_scope');
  }

  return (request, reply, done) => {
    const proceed = (failure: ErrorReply | undefined) => {
      if (limitFailures && failure) limitFailures(request, reply, (limited) => done(limited ?? failure));
      else done(failure);
    };
    const token = readBearer(request);
    const owner = token === undefined ? undefined : context.tokens.cached(token);
    if (owner || token === undefined) return proceed(attach(request, owner));
    context.tokens
      .find(token)
      .then((found) => proceed(attach(request, found)))
      .catch(done);
  };
}

/** Returns the bearer token of a request without checking it. */
export function readBearer({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/**
 * Returns the application credentials of a token request without checking them (decision 1). Basic credentials are read verbatim,
 * or with `isFormEncoded` decoded as RFC 6749 requires (2.3.1).
 */
export function readCredentials(request: FastifyRequest, isFormEncoded = false) {
  const { body, query } = request;
  const form = body instanceof URLSearchParams ? Object.fromEntries(body) : {};
  const given: Record<string, unknown> = {
    ...readBasic(request, isFormEncoded),
    ...form,
    ...(query as object),
  };
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    grant_type: textOf(given.grant_type),
    client_id: textOf(given.client_id),
    client_secret: textOf(given.client_secret),
  };
}

function readBasic({ headers }: FastifyRequest, isFormEncoded: boolean): Record<string, string> {
  const encoded = /^Basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const pair = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8'));
  if (!pair) return {};
  const read = (text = '') => (isFormEncoded ? formDecoded(text) : text);
  return { client_id: read(pair[1]), client_secret: read(pair[2]) };
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
