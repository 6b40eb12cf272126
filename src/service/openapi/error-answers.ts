import * as v from 'valibot';
import {
  type ApiErrorName,
  apiErrors,
  type ErrorEntry,
  errorsOf,
  type TokenErrorName,
  tokenErrors,
  tokenErrorsOf,
} from '../../contract/errors.ts';
import { jsonSchemaOf } from '../../contract/json-schema.ts';
import type { EndpointName } from '../../contract/operations.ts';

/** Errors that can have several statuses. */
const statuses: { [Name in ApiErrorName]?: readonly number[] } = {
  requestInvalid: [400, 408],
  systemBusy: [500, 503],
};

/** Returns the error answers of an endpoint by HTTP status, with their codes and messages. */
export function errorAnswers(name: EndpointName): Record<string, unknown> {
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
