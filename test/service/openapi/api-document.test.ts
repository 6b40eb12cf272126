import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { type ErrorEntry, errorCatalogue, localErrors } from '../../../src/contract/errors.ts';
import { companions, type Operation, operations } from '../../../src/contract/operations.ts';
import { apiDocument } from '../../../src/service/openapi/api-document.ts';
import { startTestService } from '../../test-service.ts';

interface Described {
  operationId: string;
  description: string;
  security: unknown[];
  responses: Record<string, { description: string }>;
}

const paths = apiDocument().paths as Record<string, Record<string, Described>>;
const described = Object.values(paths).flatMap((item) => Object.values(item));
const table: [string, Operation][] = Object.entries({ ...operations, ...companions });

test('the served document is valid OpenAPI 3.1, and needs no bearer token', async () => {
  const { request } = await startTestService({ docs: true });
  const { status, body } = await request<Record<string, unknown>>('GET', '/openapi.json', { token: null });
  expect(status).toBe(200);
  expect(body).toEqual(JSON.parse(JSON.stringify(apiDocument())));
  const validator = new Validator();
  expect(await validator.validate(body)).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('the validator finds a mistake in a document that has one', async () => {
  const document = { ...apiDocument(), paths: { users: { get: { responses: 5 } } } };
  expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toMatchObject({
    valid: false,
  });
});

test('every operation and companion is described under its path and method', () => {
  expect(described.map(({ operationId }) => operationId).sort()).toEqual(table.map(([name]) => name).sort());
  for (const [name, { method, url }] of table) {
    const path = url.replace(':user_id', '{user_id}');
    expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(name);
  }
});

test('only calls that get or check credentials are described without a bearer token', () => {
  const open = described.filter(({ security }) => security.length === 0);
  expect(open.map(({ operationId }) => operationId).sort()).toEqual([
    'discover',
    'listKeys',
    'logIn',
    'obtainToken',
    'updatePassword',
  ]);
});

test.each(Object.entries(errorCatalogue))(
  'the description has %s at the endpoints that list it',
  (_name, entry) => {
    const { code, on }: ErrorEntry = entry;
    const found = described.filter(({ responses }) => responses[400]?.description.includes(`\`${code}\``));
    const names = found.map(({ operationId }) => operationId);
    expect(names.sort()).toEqual([...on].sort());
  },
);

test('every code of the local service is in the description, except those that belong to no operation', () => {
  const text = JSON.stringify(described);
  const missing = Object.values(localErrors).filter(({ code }) => !text.includes(code));
  expect(missing).toEqual([localErrors.noSuchEndpoint, localErrors.methodNotAllowed]);
});

test('a service has no pages of the API unless they were asked for', async () => {
  const { request } = await startTestService();
  for (const path of ['/openapi.json', '/docs', '/docs/json', '/metrics']) {
    expect((await request('GET', path, { token: null })).status).toBe(404);
  }
});
