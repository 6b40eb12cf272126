import { expect, test } from 'vitest';
import { secretDigest } from '../../../../../src/service/storage/access/secrets.ts';
import { missingSteps } from '../../../../../src/service/storage/engine/migrations.ts';
import { openSqliteConnection } from '../../../../../src/service/storage/engine/sqlite/connection.ts';
import { startTestService } from '../../../../test-service.ts';
import { apiErrorOf } from '../../../api-errors.ts';
import { temporaryFile } from '../../temporary-database.ts';

const client = { clientId: 'old', clientSecret: 'old-secret' };
const now = () => Date.UTC(2026, 0, 1, 12);

/** A database as it was before tenants had keys of their own: with a key for all, an application, a token and a user. */
function oldDatabase(): string {
  const path = temporaryFile();
  const connection = openSqliteConnection(path);
  const steps = missingSteps(0);
  const first = steps.findIndex((step) => step.includes('DROP TABLE signing_keys'));
  for (const step of steps.slice(0, first)) connection.exec(step);
  connection.exec(`PRAGMA user_version = ${first}`);
  const insert = (table: string, ...values: (string | number | null)[]) =>
    connection.change(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`, values);
  insert('tenants', 1, 'default', '{"tenant_id":"default"}', '[]');
  insert('applications', 1, client.clientId, secretDigest(client.clientSecret), 5);
  insert('tokens', 1, secretDigest(`1.${'t'.repeat(43)}`), client.clientId, now() + 60_000);
  const [profile, none] = ['{"user_name":"bob@x.org"}', null];
  insert(
    'users',
    1,
    1,
    '20260101120000000-0000-000000000',
    'bob@x.org',
    none,
    none,
    none,
    profile,
    none,
    0,
    none,
    5,
    5,
    0,
    0,
    none,
    1,
    1,
  );
  insert('signing_keys', 'old-key', '{"kty":"EC"}', 5);
  connection.close();
  return path;
}

test('a database of an earlier version goes on: its application, its token, its names, and a key of the tenant', async () => {
  const { request, connect } = await startTestService({ now, database: oldDatabase() });
  const token = `1.${'t'.repeat(43)}`;
  const list = '/api/v2/tenant/users?offset=0&limit=10';
  expect(await request('GET', list, { token })).toMatchObject({ status: 200, body: { total: 1 } });
  expect(await connect(client).obtainToken()).toMatchObject({ scope: 'all' });
  const email = connect(client).createUser({ user_name: 'eve', email: 'bob@x.org' });
  await expect(email).rejects.toMatchObject(apiErrorOf('emailTaken'));
  const { body } = await request<{ keys: { kid: string; kty: string }[] }>('GET', '/api/v1/oauth2/keys', {
    token: null,
  });
  expect(body.keys).toMatchObject([{ kty: 'RSA' }]);
});
