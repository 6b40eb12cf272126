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
  'the password of Keycloak is found at any place among the credentials',
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

test('the password of Keycloak before version 8 is found too', async () => {
  const credentials = [
    {
      type: 'password',
      hashedSaltedValue: goodHashes.bcrypt,
      salt: 'c2FsdA==',
      algorithm: 'bcrypt',
      hashIterations: 10,
    },
  ];
  const user = { id: 'u-1', username: 'ann', enabled: true, createdTimestamp: 1, credentials };
  const { sent } = await runImport(JSON.stringify({ realm: 'x', users: [user] }));
  expect(sent).toMatchObject([{ 'hash-pwd': { algorithm: 'bcrypt', value: goodHashes.bcrypt } }]);
});

test('hashes at another place of a record are not left out in silence', async () => {
  const users = [
    { username: 'ann', enabled: true, createdTimestamp: 1, login: { passwordHash: goodHashes.bcrypt } },
  ];
  await expect(runImport(JSON.stringify({ users }), { allowPasswordless: true })).rejects.toThrow(
    'it reads no hashes from this file, which has the column "login.passwordHash"',
  );
});

const address = { type: 'email', value: 'ann@example.com', verified: true };
const telephone = { type: 'phone_number', value: '+4915112345678', verified: true };

const name = { type: 'username', value: 'ann' };
const mobile = '+49-15112345678';

test.each([
  [[address, telephone], { user_name: 'ann@example.com', email: 'ann@example.com', mobile }],
  [[telephone, name, address], { user_name: 'ann', email: 'ann@example.com', mobile }],
  [[telephone], { user_name: '+4915112345678', email: undefined, mobile }],
  [[name], { user_name: 'ann', email: undefined, mobile: undefined }],
])('each identifier of Auth0 is found by its type: %j', async (identifiers, person) => {
  const user = { _id: { $oid: '5dea9f9c82dd7c0e76e4ec93' }, passwordHash: goodHashes.bcrypt, identifiers };
  const { sent } = await runImport(JSON.stringify(user), {});
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ external_id: 'auth0|5dea9f9c82dd7c0e76e4ec93' });
  const { user_name, email, mobile: number } = sent[0] ?? {};
  expect({ user_name, email, mobile: number }).toEqual(person);
});
