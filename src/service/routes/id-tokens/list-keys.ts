import type { JWK } from 'jose';
import type { ServiceContext } from '../../context/context.ts';
import type { ApiRequest, ApiRoute } from '../../context/route.ts';
import { apiError } from '../../errors/api-error.ts';
import type { Tenant } from '../../tenant/definition.ts';

/**
 * Companion: the public keys of the id tokens as a JWK set (decision 5); with `client_id` those of its tenant, otherwise those of
 * all tenants. Throws `requestInvalid`.
 */
export const listKeys: ApiRoute<{ keys: JWK[] }> = async (context, request) =>
  context.idTokens.publicKeys(await tenantsOf(context, request));

async function tenantsOf(context: ServiceContext, request: ApiRequest): Promise<Tenant[]> {
  const clientId = readClientId(request);
  if (clientId === undefined) return [...context.tenants.values()];
  const tenant = await context.applications.tenantOf(clientId);
  if (!tenant) throw apiError('requestInvalid', 'the client_id is unknown');
  return [tenant];
}

/**
 * Returns the `client_id` of the query, by which a caller selects a tenant; `undefined` if there is none. Throws `requestInvalid` if
 * there are several.
 */
export function readClientId({ query: { client_id } }: ApiRequest): string | undefined {
  if (Array.isArray(client_id)) throw apiError('requestInvalid', 'the query has several values of client_id');
  return client_id;
}
