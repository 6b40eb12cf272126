import { errorCatalogue } from '../contract/errors.ts';
import { isRecord } from '../contract/is-record.ts';
import { localErrors } from '../contract/local-errors.ts';
import { hidden } from '../text/redact.ts';
import type { Request } from './transport.ts';

/** Fields of bodies and of the token call that hold a secret. */
const secretFields: ReadonlySet<string> = new Set([
  'client_secret',
  'pwd',
  'password',
  'old_password',
  'new_password',
  'sso_ticket',
  'session_token',
]);

/** Fields of answers that hold one beside these. */
const tokenFields: ReadonlySet<string> = new Set(['access_token', 'id_token', 'refresh_token', 'hash-pwd']);

/** A value with every field hidden that holds a secret by its name. */
export function withoutSecretFields<Value>(value: Value): Value {
  const text = JSON.stringify(value, (name, part) =>
    secretFields.has(name) || tokenFields.has(name) ? hidden : part,
  );
  return JSON.parse(text);
}

/** Shorter ones are left alone: to hide them in ordinary words would reveal more than it hides. */
const shortest = 4;

/** Shorter ones may stand in data by chance, which must not be changed. */
const shortestInData = 12;

/**
 * Text of an answer without the secrets of its request, nor others, which a service may repeat, in whatever form and
 * case.
 */
export function redact(text: string, request: Request, others: readonly string[] = []): string {
  if (text === '') return text;
  const forms = [...secretsOf(request), ...others].filter((one) => one.length >= shortest).flatMap(formsOf);
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length);
  if (longestFirst.length === 0) return text;
  return text.replace(new RegExp(longestFirst.map(quotePattern).join('|'), 'gi'), hidden);
}

/**
 * Does an answer repeat the token, or another secret of the client? An application that writes what it was sent into a
 * user's name must not bring it into a backup. Looked at as it is decoded: JSON has many ways to write a text.
 */
export function mayRepeat(
  value: unknown,
  text: string,
  request: Request,
  others: readonly string[],
): boolean {
  const { authorization = '' } = request.headers;
  const bearer = authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : authorization;
  const decoded = text.includes('\\') ? JSON.stringify(value) : text;
  return repeats(decoded, bearer) || others.some((secret) => repeats(decoded, secret));
}

/** As most secrets are: JSON writes such a text as it is. */
const plain = /^[\w.~+/=-]*$/;

function repeats(json: string, secret: string): boolean {
  if (secret.length < shortestInData) return false;
  return json.includes(plain.test(secret) ? secret : JSON.stringify(secret).slice(1, -1));
}

/** The value of an answer with every text of it, names of fields too, without these secrets. */
export function redactValue(value: unknown, request: Request, others: readonly string[]): unknown {
  const inside = (part: unknown) => redactValue(part, request, others);
  if (typeof value === 'string') return redact(value, request, others);
  if (Array.isArray(value)) return value.map(inside);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [redact(name, request, others), inside(part)]),
  );
}

function secretsOf({ path, headers, body }: Request): string[] {
  const [scheme = '', carried = ''] = (headers.authorization ?? '').split(' ', 2);
  const pair = scheme === 'Basic' ? Buffer.from(carried, 'base64').toString('utf8') : '';
  const query = path.split('?', 2)[1] ?? '';
  return [carried, pair.slice(pair.indexOf(':') + 1), ...ofForm(query), ...ofBody(body?.() ?? '')];
}

function ofForm(form: string): string[] {
  return [...new URLSearchParams(form)].flatMap(([name, value]) => (secretFields.has(name) ? [value] : []));
}

function ofBody(body: string): string[] {
  if (!body.startsWith('{')) return ofForm(body);
  const values: Record<string, unknown> = JSON.parse(body);
  const hash = values['hash-pwd'];
  const inHash = typeof hash === 'object' && hash !== null ? Object.entries(hash) : [];
  return [
    ...Object.entries(values).filter(([name]) => secretFields.has(name)),
    ...inHash.filter(([name]) => name !== 'algorithm'),
  ].flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
}

/** A secret as it is, in JSON, in JSON that is a text in JSON, in a URL and in Base64. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  const json = JSON.stringify(secret).slice(1, -1);
  const inForm = `${new URLSearchParams({ '': secret })}`.slice(1);
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    encodeURI(secret),
    inForm,
    base64,
    bytes.toString('base64url'),
  ];
}

/** Messages of the API as the catalogue has them, with numbers in their gaps. */
const known = [...Object.values(errorCatalogue), ...Object.values(localErrors)].map(
  ({ message }) => new RegExp(`^${quotePattern(message).replace(/\\\{\d\\\}/g, '\\d+')}$`),
);

/**
 * True for a message in the API's own words, with at most numbers filled in: it repeats nothing of a request. To hide a
 * password in it that is one of these words would reveal what the password is.
 */
export function isKnownMessage(text: string): boolean {
  return known.some((pattern) => pattern.test(text));
}

/** A text as a regular expression that matches just it. */
function quotePattern(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
