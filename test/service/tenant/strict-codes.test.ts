import { expect, test } from 'vitest';
import { type ErrorEntry, type ErrorName, errorCatalogue } from '../../../src/contract/errors.ts';
import type { NewUser } from '../../../src/contract/wire.ts';
import { startTestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { strictCalls, strictFaults, strictHash, strictTenant, strictUser } from './strict-tenant.ts';

async function startStrict() {
  const service = await startTestService({ tenants: [strictTenant] });
  await service.client.importHashedUser({ ...strictUser(0), 'hash-pwd': strictHash });
  return service;
}

const displayNames: Partial<Record<ErrorName, string[]>> = {
  extensionEmpty: ['Level'],
  extensionInvalid: ['Employee number'],
  extensionTaken: ['Employee number'],
};
const faults = Object.entries(strictFaults) as [ErrorName, NonNullable<(typeof strictFaults)[ErrorName]>][];

test.each(faults)('%s is returned by every operation that lists it', async (error, values) => {
  const service = await startStrict();
  const entry: ErrorEntry = errorCatalogue[error];
  const calls = Object.entries(strictCalls).filter(([name]) => (entry.on as string[]).includes(name));
  expect(calls.length).toBeGreaterThan(1);
  for (const [name, call] of calls) {
    expect(await call(service, values), name).toMatchObject(
      errorReply(error, ...(displayNames[error] ?? [])),
    );
  }
});

test('an attribute that is left out counts as empty, except in Modify', async () => {
  const service = await startStrict();
  const { external_id, user_name, ...rest } = strictUser(7);
  expect(await strictCalls.createUser(service, { user_name: undefined })).toMatchObject(
    errorReply('userNameEmpty'),
  );
  const path = '/api/v2/tenant/users/import-hash-pwd';
  const body = { ...rest, user_name, 'hash-pwd': strictHash };
  expect(await service.request('POST', path, { body })).toMatchObject(errorReply('externalIdEmpty'));
  expect(await service.request('POST', path, { body: { ...body, external_id } })).toMatchObject({
    status: 200,
  });
  expect(await strictCalls.updateUser(service, { name: 'Bea' })).toMatchObject({ status: 200 });
});

test('every operation accepts the user that breaks no rule', async () => {
  const service = await startStrict();
  for (const [name, call] of Object.entries(strictCalls))
    expect(await call(service, {}), name).toMatchObject({ status: 200 });
});

test.each<[string, keyof NewUser, string, ErrorName]>([
  ['user-by-username', 'user_name', 'Ann', 'userNameInvalid'],
  ['user-by-username', 'user_name', '', 'userNameInvalid'],
  ['user-by-username', 'user_name', 'ab', 'userNameInvalid'],
  ['user-by-username', 'user_name', 'ann.nobody', 'userNotFound'],
  ['user-by-email', 'email', 'ann@example.org', 'emailInvalid'],
  ['user-by-email', 'email', 'nobody@corp.example.com', 'userNotFound'],
  ['user-by-mobile', 'mobile', '15200001000', 'mobileInvalid'],
  ['user-by-mobile', 'mobile', '86-12000000000', 'mobileInvalid'],
  ['user-by-mobile', 'mobile', '852-91234567', 'userNotFound'],
  ['user-by-external-id', 'external_id', '0', 'externalIdInvalid'],
  ['user-by-external-id', 'external_id', 'X-9', 'userNotFound'],
])('%s checks %s %j against the rules of the tenant: %s', async (path, attribute, value, error) => {
  const { request } = await startStrict();
  const body = { [attribute]: value };
  expect(await request('POST', `/api/v2/tenant/users/${path}`, { body })).toMatchObject(errorReply(error));
});

test.each([
  [{ level: '-1' }, 'Level'],
  [{ level: 'x' }, 'Level'],
  [{ contractor: 'yes' }, 'Contractor'],
  [{ joined_on: '2023-02-29' }, 'Joined on'],
  [{ desk: 'A' }, 'Desk'],
  [{ desk: 'A'.repeat(11) }, 'Desk'],
  [{ age: '42' }, 'age'],
])('the extension %j is rejected, and the error names %s', async (extension, named) => {
  const service = await startStrict();
  expect(await strictCalls.importHashedUser(service, { extension })).toMatchObject(
    errorReply('extensionInvalid', named),
  );
});

test('lifetimes and SSO fields are those of the definition', async () => {
  const { client } = await startStrict();
  const device = { device_fingerprint: 'f', device_ip: '10.0.0.7', operating_sys_version: '14' };
  const user = { ...strictUser(5), pwd: 'qwe123!@#', pwd_must_modify: false };
  const { user_id } = await client.createUser(user);
  const login = await client.logIn('ann.lee5', 'qwe123!@#', device);
  const session = login.status === 'SUCCESS' ? login.session_token : '';
  const { sso_ticket, expire } = await client.issueSsoTicket(session, device);
  expect(expire).toBe(60);
  const shown = await client.verifySsoTicket({ sso_ticket, ...device });
  expect(shown).toEqual({ id: user_id, userName: 'ann.lee5', email: 'ann5@example.com' });
});
