import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceContext } from '../context/context.ts';
import { TokenErrorReply } from '../errors/api-error.ts';
import type { TokenOwner } from '../storage/access/tokens.ts';
import type { Tenant } from '../tenant/definition.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The tenant of the bearer token; set by `requireBearer`, so only routes behind it may read it. */
    tenant: Tenant;
    /** The application that calls, once that is proved; `''` before. */
    clientId: string;
  }
}

/**
 * Lets a request pass only with a live access token, and says whose it is. Throws `invalid_token` (§5.3). A token that is
 * remembered costs no turn of the event loop.
 */
export function requireBearer(parts: ServiceContext) {
  function enter(request: FastifyRequest, owner: TokenOwner | undefined): void {
    const tenant = owner && parts.tenants.get(owner.tenant);
    if (!tenant) throw new TokenErrorReply('invalid_token');
    request.tenant = tenant;
    request.clientId = owner.clientId;
  }

  return (request: FastifyRequest, _reply: FastifyReply, done: (failure?: Error) => void): void => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const owner = token === undefined ? undefined : parts.tokens.remembered(token);
    if (token === undefined || owner) {
      enter(request, owner);
      done();
    } else {
      parts.tokens
        .find(token)
        .then((found) => enter(request, found))
        .then(() => done(), done);
    }
  };
}
