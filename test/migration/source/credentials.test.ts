import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const otp = {
  type: 'otp',
  secretData: JSON.stringify({ value: 'JBSWY3DPEHPK3PXP' }),
  credentialData: JSON.stringify({ subType: 'totp', algorithm: 'HmacSHA1' }),
};
const passkey = { type: 'webauthn-passwordless', secretData: '{}', credentialData: '{"aaguid":"x"}' };
const password = {
  type: 'password',
  secretData: JSON.stringify({ value: goodHashes.bcrypt }),
  credentialData: JSON.stringify({ algorithm: 'bcrypt', hashIterations: 10 }),
};

test.each([[[password, otp]], [[otp, password]], [[passkey, otp, password]]])(
  'the password of Keycloak is found wherever it stands among the credentials',
  async (credentials) => {
    const user = { id: 'u-1', username: 'ann', enabled: true, createdTimestamp: 1, credentials };
    const { sent } = await runImport(JSON.stringify({ realm: 'x', users: [user] }), {
      allowPasswordless: true,
      foreignHashes: 'passwordless',
    });
    expect(sent).toMatchObject([
      { user_name: 'ann', 'hash-pwd': { algorithm: 'bcrypt', value: goodHashes.bcrypt } },
    ]);
  },
);
