import type { FastifyRequest } from 'fastify';
import type { AccessToken } from '../../contract/wire.ts';
import type { ServiceContext } from '../context/context.ts';
import type { ApiRoute } from '../context/route.ts';
import { tokenError } from '../errors/api-error.ts';
import { readCredentials } from '../http/authenticate.ts';

/** Issues an access token for application credentials in query, form or Basic header (§4.1, decisions 1 to 5). */
export const obtainToken: ApiRoute<AccessToken> = async (context, request) => {
  const { grant_type, client_id, client_secret } = readCredentials(request);
  if (!grant_type || !client_id || !client_secret) throw tokenError('invalid_request');
  if (grant_type !== 'client_credentials') throw tokenError('unsupported_grant_type');
  const found =
    (await authenticate(context, client_id, client_secret)) ??
    (await authenticateDecoded(context, request, client_secret));
  if (!found) {
    request.auditFacts = await describeClaim(context, client_id);
    throw tokenError('invalid_client');
  }
  const { tenant, clientId, scope } = found;
  request.auditFacts = { tenant: tenant.definition.tenant_id };
  request.clientId = clientId;

  const { expires_in } = tenant.definition.token;
  const [access_token, id_token] = await Promise.all([
    context.tokens.issue(tenant, clientId),
    context.idTokens.sign(tenant, { sub: clientId, aud: clientId, token_use: 'application' }, expires_in),
  ]);
  return { access_token, token_type: 'bearer', expires_in, scope, id_token };
};

/** Only an existing id is recorded, because anything else may be a secret typed in the wrong place. */
async function describeClaim(context: ServiceContext, application: string) {
  const tenant = await context.applications.tenantOf(application);
  return tenant ? { tenant: tenant.definition.tenant_id, application } : {};
}

/** Authenticates with Basic credentials decoded as RFC 6749 requires, if decoding changes them. */
async function authenticateDecoded(context: ServiceContext, request: FastifyRequest, plain: string) {
  const { client_id, client_secret } = readCredentials(request, true);
  return client_secret === plain && client_id === readCredentials(request).client_id
    ? undefined
    : authenticate(context, client_id, client_secret);
}

/** Returns the application with these credentials, and its tenant. */
async function authenticate(context: ServiceContext, clientId = '', secret = '') {
  const application = await context.applications.authenticate(clientId, secret);
  return application && { ...application, clientId };
}
