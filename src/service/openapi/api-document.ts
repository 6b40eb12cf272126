import * as v from 'valibot';
import { type AttributeName, attributes } from '../../contract/attributes.ts';
import {
  type ApiErrorName,
  apiErrors,
  type ErrorEntry,
  errorsOf,
  type TokenErrorName,
  tokenErrors,
  tokenErrorsOf,
} from '../../contract/errors.ts';
import { jsonSchemaOf, jsonSchemasOf } from '../../contract/json-schema.ts';
import { type EndpointName, endpoints, type Operation, operations } from '../../contract/operations.ts';
import { wireSchemas } from '../../contract/wire.ts';
import { type OperationShape, operationShapes, type SchemaName } from './operation-shapes.ts';

const pathOf = (name: string) => `#/components/schemas/${name}`;
const reference = (name: SchemaName) => ({ $ref: pathOf(name) });

/** Errors that can have several statuses. */
const statuses: { [Name in ApiErrorName]?: readonly number[] } = {
  requestInvalid: [400, 408],
  systemBusy: [500, 503],
};

const security = [{ application: [] }, { accessToken: [] }];

/** Generates the OpenAPI 3.1 description of the service from the tables of the contract. It contains nothing about a tenant. */
export function apiDocument() {
  const table = Object.entries(endpoints) as [EndpointName, Operation][];
  const paths: Record<string, object> = {};
  for (const [name, operation] of table) {
    const path = operation.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(name, operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tenant user API',
      version: '2',
      description:
        'Users of a tenant, their legacy password hashes and SSO tickets. Companion endpoints are those of the local service, which a remote tenant may lack.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'API' }, { name: 'Companions' }],
    paths,
    components: {
      schemas: jsonSchemasOf(wireSchemas, { pathOf }),
      securitySchemes: {
        application: {
          type: 'oauth2',
          description: 'id and secret of an application',
          flows: { clientCredentials: { tokenUrl: operations.obtainToken.url, scopes: {} } },
        },
        accessToken: { type: 'http', scheme: 'bearer', description: 'an access token' },
      },
    },
  };
}

function describe(name: EndpointName, operation: Operation): Record<string, unknown> {
  const shape = operationShapes[name];
  const isCompanion = operation.section === 'companion';
  const body = requestBodyOf(shape);
  return {
    operationId: name,
    summary: summaryOf(name),
    description: isCompanion ? 'Companion of the specification' : `Specification §${operation.section}`,
    tags: [isCompanion ? 'Companions' : 'API'],
    parameters: parametersOf(operation.url, shape),
    ...(body ? { requestBody: body } : {}),
    security: operation.isOpen ? [] : security,
    responses: {
      200: {
        description: 'Done',
        headers: { 'X-Request-Id': { schema: { type: 'string' } } },
        content: { 'application/json': { schema: reference(shape.answer) } },
      },
      ...errorAnswers(name),
    },
  };
}

/** `getUserByEmail` → "Get user by email". */
function summaryOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bsso\b/, 'SSO');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function parametersOf(url: string, { query = {}, headers = [] }: OperationShape): unknown[] {
  const text = { type: 'string' };
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: text,
  }));
  const { properties = {}, required = [] } = jsonSchemaOf(v.object(query));
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  const inHeaders = headers.map((name) => ({ name, in: 'header', required: true, schema: text }));
  return [...inPath, ...inQuery, ...inHeaders];
}

function requestBodyOf({ body, query = {}, queryAsForm }: OperationShape): unknown {
  if (queryAsForm) {
    const schema = jsonSchemaOf(v.object(query));
    return { content: { 'application/x-www-form-urlencoded': { schema } } };
  }
  if (body === undefined) return undefined;
  const schema = typeof body === 'string' ? reference(body) : jsonSchemaOf(lookUpBy(body.attribute));
  return { required: true, content: { 'application/json': { schema } } };
}

function lookUpBy(attribute: AttributeName) {
  return v.object({ [attribute]: v.pipe(v.string(), v.description(attributes[attribute].label)) });
}

/** Returns the error answers of an endpoint by HTTP status, with their codes and messages. */
function errorAnswers(name: EndpointName): Record<string, unknown> {
  const byStatus = new Map<number, { errors: ErrorEntry[]; tokens: TokenErrorName[] }>();
  const at = (status: number) => {
    const found = byStatus.get(status) ?? { errors: [], tokens: [] };
    byStatus.set(status, found);
    return found;
  };
  for (const error of errorsOf(name)) {
    const entry = apiErrors[error];
    for (const status of statuses[error] ?? [entry.status]) at(status).errors.push(entry);
  }
  for (const error of tokenErrorsOf(name)) at(error === 'insufficient_scope' ? 403 : 400).tokens.push(error);
  return Object.fromEntries(
    [...byStatus].map(([status, { errors, tokens }]) => [status, answerOf(errors, tokens, status)]),
  );
}

function answerOf(entries: readonly ErrorEntry[], tokens: readonly TokenErrorName[], status: number) {
  const codes = entries.map(({ code }) => code);
  const coded = v.strictObject({ error_code: v.picklist(codes), error_msg: v.string() });
  const tokenError = v.strictObject({ error: v.picklist(tokens), error_description: v.string() });
  const lines = [
    ...entries.map(({ code, message }) => `* \`${code}\` ${message}`),
    ...tokens.map((error) => `* \`${error}\` ${tokenErrors[error]}`),
  ];
  const waits = status === 429 || status === 503;
  const shapes = [...(entries.length > 0 ? [coded] : []), ...(tokens.length > 0 ? [tokenError] : [])];
  const schema = jsonSchemaOf(shapes.length === 1 ? (shapes[0] ?? coded) : v.union(shapes));
  return {
    description: lines.join('\n'),
    ...(waits ? { headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'seconds' } } } : {}),
    content: { 'application/json': { schema } },
  };
}
