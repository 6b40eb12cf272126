import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clientCredentialsGrant,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { expect, test } from 'vitest';
import { startTestService } from '../test-service.ts';

/** An id and a secret with everything that form encoding changes. */
const application = { client_id: 'app-1_a.b~c+d', client_secret: 's:e%c r&t=+/-_.~é' };

test.each<[string, ClientAuth | undefined]>([
  ['its default', undefined],
  ['Basic', ClientSecretBasic()],
  ['a form', ClientSecretPost()],
])('openid-client finds the endpoints, gets a token by %s and verifies its id token', async (_way, auth) => {
  const { baseUrl } = await startTestService({ application });
  const { client_id, client_secret } = application;
  const options = { execute: [allowInsecureRequests, enableNonRepudiationChecks] };
  const config = await discovery(
    new URL(baseUrl),
    client_id,
    auth ? { client_secret } : client_secret,
    auth,
    options,
  );
  expect(config.serverMetadata()).toMatchObject({ issuer: baseUrl });
  const tokens = await clientCredentialsGrant(config);
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'all', expires_in: 1800 });
  expect(tokens.claims()).toMatchObject({ iss: baseUrl, sub: client_id, aud: client_id });
});
