import { applicationScopes, companions, operations } from '../../../contract/operations.ts';
import type { Discovery } from '../../../contract/wire.ts';
import type { ApiRoute } from '../../context/route.ts';
import { readClientId } from './list-keys.ts';

/**
 * Companion: the document from which OpenID Connect clients configure themselves. With `client_id` it refers only to the keys of
 * that application's tenant. Throws `requestInvalid`.
 */
export const discover: ApiRoute<Discovery> = async (context, request) => {
  const issuer = context.issuer();
  const clientId = readClientId(request);
  const query = clientId === undefined ? '' : `?${new URLSearchParams({ client_id: clientId })}`;
  return {
    issuer,
    token_endpoint: issuer + operations.obtainToken.url,
    jwks_uri: issuer + companions.listKeys.url + query,
    grant_types_supported: ['client_credentials'],
    // There is no endpoint for logging in with a browser.
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    scopes_supported: [...applicationScopes],
    claims_supported: ['iss', 'sub', 'aud', 'iat', 'exp', 'token_use', 'userName'],
  };
};
