import { expect, test } from 'vitest';
import {
  type ErrorEntry,
  type ErrorName,
  errorCatalogue,
  type LocalErrorName,
  localErrors,
} from '../../src/contract/errors.ts';
import { startTestService } from '../test-service.ts';
import { companionProvocations } from './companion-provocations.ts';
import { holder, type Provocation, provocations, refusedBodies } from './provocations.ts';
import { strictFaults } from './tenant/strict-tenant.ts';
import { neverProvoked } from './unprovoked.ts';
import { writeCalls } from './validation/write-calls.ts';

const catalogue: Record<string, ErrorEntry> = { ...errorCatalogue, ...localErrors };

function nameOf(pair: { error: string; operation: string }): string {
  return `${pair.operation} ${pair.error}`;
}

const listed = Object.entries(catalogue).flatMap(([error, { on }]) =>
  on.map((operation) => nameOf({ error, operation })),
);

interface Case {
  error: ErrorName | LocalErrorName;
  operation: string;
  provoke: Provocation;
}

const byBody = (Object.entries(refusedBodies) as [ErrorName, object][]).flatMap(([error, body]) =>
  Object.entries(writeCalls)
    .filter(([operation]) => listed.includes(nameOf({ error, operation })))
    .map(([operation, call]): Case => ({ error, operation, provoke: (service) => call(service, body) })),
);

const tables: Record<string, Record<string, Provocation>>[] = [provocations, companionProvocations];
const others = tables.flatMap((table) =>
  Object.entries(table).flatMap(([error, calls]) =>
    Object.entries(calls).map(
      ([operation, provoke]): Case => ({ error: error as ErrorName | LocalErrorName, operation, provoke }),
    ),
  ),
);

const provoked = [...byBody, ...others];

/** The API errors that `tenant/strict-codes.test.ts` provokes with a tenant that requires everything. */
const byStrictTenant = Object.keys(strictFaults).flatMap((error) =>
  Object.keys(writeCalls)
    .map((operation) => nameOf({ error, operation }))
    .filter((name) => listed.includes(name)),
);
const unprovoked = neverProvoked.flatMap(({ error, on }) =>
  on.map((operation) => nameOf({ error, operation })),
);

test('every endpoint returns every code that is listed for it, or there is a reason why it cannot', () => {
  const names = new Set([...provoked.map(nameOf), ...byStrictTenant]);
  expect(unprovoked.filter((name) => names.has(name))).toEqual([]);
  expect([...names, ...unprovoked].sort()).toEqual([...listed].sort());
});

test.each(provoked)('$operation is rejected with $error', async ({ error, provoke }) => {
  const service = await startTestService();
  await service.client.createUser(holder);
  const { code, status = 400 } = catalogue[error] ?? { code: '' };
  expect(await provoke(service)).toMatchObject({ status, body: { error_code: code } });
});
