import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Parts } from './parts.ts';
import { TokenRefusal } from './refusal.ts';
import type { Tenant } from './tenant/tenant.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The tenant of the bearer token; set by `requireBearer`, so only routes behind it may read it. */
    tenant: Tenant;
    /** The application that calls, once that is proved; `''` before. */
    clientId: string;
  }
}

/** Lets a request pass only with a live access token, and says whose it is. Throws `invalid_token` (§5.3). */
export function requireBearer(parts: Parts) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const owner = token === undefined ? undefined : await parts.tokens.check(token);
    const tenant = owner && parts.tenants.get(owner.tenant);
    if (!tenant) throw new TokenRefusal('invalid_token');
    request.tenant = tenant;
    request.clientId = owner.clientId;
  };
}
