import { expect, test } from 'vitest';
import { type ErrorEntry, type ErrorName, errorCatalogue } from '../../src/contract/errors.ts';
import { type LocalErrorName, localErrors } from '../../src/contract/local-errors.ts';
import { startTestService } from '../test-service.ts';
import { holder, type Provocation, provocations, refusedBodies } from './provocations.ts';
import { writeCalls } from './rules/write-calls.ts';
import { neverProvoked, notYetProvoked } from './unprovoked.ts';

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

const others = Object.entries(provocations).flatMap(([error, calls]) =>
  Object.entries(calls).map(
    ([operation, provoke]): Case => ({ error: error as ErrorName | LocalErrorName, operation, provoke }),
  ),
);

const provoked = [...byBody, ...others];
const unprovoked = [...notYetProvoked, ...neverProvoked].flatMap(({ error, on }) =>
  on.map((operation) => ({ error, operation })),
);

test('every code is provoked from every operation that lists it, or said why not', () => {
  expect([...provoked, ...unprovoked].map(nameOf).sort()).toEqual([...listed].sort());
});

test.each(provoked)('$operation is refused with $error', async ({ error, provoke }) => {
  const service = await startTestService();
  await service.client.createUser(holder);
  const { code, status = 400 } = catalogue[error] ?? { code: '' };
  expect(await provoke(service)).toMatchObject({ status, body: { error_code: code } });
});

const attempts = notYetProvoked.flatMap(({ error, on, attempt, reason }) =>
  on.map((operation) => ({ error, operation, attempt, reason })),
);

test.each(attempts)(
  '$operation is not yet refused with $error: $reason',
  async ({ error, operation, attempt }) => {
    const service = await startTestService();
    await service.client.createUser(holder);
    const { body } = await writeCalls[operation](service, attempt);
    expect(attempt, 'an attempt, so that the entry cannot stay by mistake').toBeDefined();
    expect(body).not.toMatchObject({ error_code: errorCatalogue[error].code });
  },
);
