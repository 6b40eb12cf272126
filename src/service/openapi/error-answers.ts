import * as v from 'valibot';
import { type ErrorEntry, type ErrorName, errorCatalogue } from '../../contract/errors.ts';
import { jsonSchemaOf } from '../../contract/json-schema.ts';
import {
  companionErrors,
  type LocalErrorName,
  localErrors,
  type TokenErrorName,
  tokenErrors,
} from '../../contract/local-errors.ts';
import {
  type CompanionName,
  companions,
  type Operation,
  type OperationName,
  operations,
} from '../../contract/operations.ts';
import { openRoutes } from '../routes/routes.ts';

type Name = OperationName | CompanionName;

const catalogue: Record<ErrorName | LocalErrorName, ErrorEntry> = { ...errorCatalogue, ...localErrors };

/** Errors of every operation, with the statuses that they can have there. */
const everywhere: [LocalErrorName, number[]][] = [
  ['requestInvalid', [400, 408]],
  ['rateLimited', [429]],
  ['systemBusy', [500, 503]],
];

/** Errors of every operation that can have a body. */
const withBody: LocalErrorName[] = ['bodyTooLarge', 'mediaTypeNotSupported'];

/** Says whether an operation needs a bearer. */
export function needsBearer(name: Name): boolean {
  return !(name in openRoutes);
}

/** Error answers of an operation by HTTP status: the codes, and what they mean. */
export function errorAnswers(name: Name): Record<string, unknown> {
  const byStatus = new Map<number, ErrorEntry[]>();
  const add = (entry: ErrorEntry, status = entry.status ?? 400) =>
    byStatus.set(status, [...(byStatus.get(status) ?? []), entry]);
  for (const entry of Object.values(catalogue)) if ((entry.on as readonly Name[]).includes(name)) add(entry);
  if (name in companions) for (const error of companionErrors[name as CompanionName]) add(catalogue[error]);
  for (const [error, statuses] of everywhere) for (const status of statuses) add(catalogue[error], status);
  const { method } = { ...operations, ...companions }[name];
  if (method !== 'GET') for (const error of withBody) add(catalogue[error]);
  const answers = [...byStatus].map(([status, entries]) => {
    return [status, answerOf(entries, status === 400 ? tokenErrorsOf(name) : [], status)];
  });
  const { reads }: Operation = { ...operations, ...companions }[name];
  if (needsBearer(name) && !reads) answers.push([403, answerOf([], ['insufficient_scope'], 403)]);
  return Object.fromEntries(answers);
}

const ofBearers: TokenErrorName[] = ['invalid_token', 'insufficient_scope'];

function tokenErrorsOf(name: Name): TokenErrorName[] {
  if (needsBearer(name)) return ['invalid_token'];
  const all = Object.keys(tokenErrors) as TokenErrorName[];
  return name === 'obtainToken' ? all.filter((error) => !ofBearers.includes(error)) : [];
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
