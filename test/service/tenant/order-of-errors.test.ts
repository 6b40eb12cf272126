import { expect, test } from 'vitest';
import type { ErrorName } from '../../../src/contract/errors.ts';
import { startTestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { strictFaults, strictHash, strictTenant, strictUser } from './strict-tenant.ts';

const names = Object.keys(strictFaults) as ErrorName[];
const values: Partial<Record<ErrorName, string>> = {
  extensionEmpty: 'Level',
  extensionInvalid: 'Employee number',
  extensionTaken: 'Employee number',
};
const noPassword = { pwd: '', 'hash-pwd': {} };
const cures = { pwd: 'qwe123!@#', 'hash-pwd': strictHash, ...strictUser(1) };
const free = ['external_id', 'pwd', 'hash-pwd'];

/** Valid values to replace those with which a call provokes the error. */
function cureOf(error: ErrorName): object {
  return Object.fromEntries(
    Object.keys(strictFaults[error] ?? {}).map((key) => [key, cures[key as keyof typeof cures]]),
  );
}

const paths = { createUser: '', importHashedUser: '/import-hash-pwd', updateUser: '/:user_id' } as const;

test.each(Object.entries(paths))(
  '%s returns errors about empty values, then broken rules, then existing values, each in the order of the codes',
  async (operation, path) => {
    const { client, request } = await startTestService({ tenants: [strictTenant] });
    await client.importHashedUser({ ...strictUser(0), 'hash-pwd': strictHash });
    const { user_id } = await client.importHashedUser({ ...strictUser(2), 'hash-pwd': strictHash });
    const isChange = operation === 'updateUser';
    const url = `/api/v2/tenant/users${path.replace(':user_id', user_id)}`;
    const send = ({ extension, ...values }: { extension: object }) =>
      request(isChange ? 'PUT' : 'POST', url, {
        body: { ...values, extension: { ...cures.extension, ...extension } },
      });
    const listed = names.filter(
      (name) => !isChange || !Object.keys(strictFaults[name] ?? {}).some((key) => free.includes(key)),
    );

    let body: { extension: object } = { ...cures, ...noPassword };
    for (const group of ['Empty', 'Invalid', 'Taken']) {
      const faults = listed.filter((name) => name.endsWith(group));
      expect(faults.length).toBeGreaterThan(3);
      body = Object.assign({}, body, ...faults.map((name) => strictFaults[name]));
      for (const error of faults) {
        const { status, body: answer } = await send(body);
        expect({ status, body: answer }, error).toEqual(errorReply(error, values[error] ?? ''));
        body = { ...body, ...cureOf(error) };
      }
    }
    expect(await send(body)).toMatchObject({ status: 200 });
  },
);
