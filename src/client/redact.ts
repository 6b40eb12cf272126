import { errorCatalogue, localErrors } from '../contract/errors.ts';
import type { Request } from '../contract/exchange.ts';
import { isRecord } from '../contract/is-record.ts';
import { hidden, isSecretField } from '../text/redact.ts';

/** Returns a copy of a value in which every field whose name marks it as secret is redacted. */
export function withoutSecretFields<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (name, part) => (isSecretField(name) ? hidden : part)));
}

/** Shortest secret that is redacted in messages: redacting a shorter one within ordinary words would reveal it. */
const shortest = 4;

/** Shortest secret that is looked for in data: a shorter one may occur there by chance, and data must not be changed. */
const shortestInData = 12;

/**
 * Redacts in a text of an answer the secrets of its request, and others, in any encoding that a service may repeat, and in any
 * letter case.
 */
export function redact(text: string, request: Request, others: readonly string[]): string {
  if (text === '') return text;
  const forms = [...secretsOf(request), ...others].filter((one) => one.length >= shortest).flatMap(formsOf);
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length);
  if (longestFirst.length === 0) return text;
  return text.replace(new RegExp(longestFirst.map(quotePattern).join('|'), 'gi'), hidden);
}

/**
 * True if an answer contains the token, or another secret of the client: an application that writes a received token into a user's
 * name must not bring it into a backup. Compares decoded text, because JSON can write a text in many ways.
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

/** Matches most secrets: JSON writes these characters without escapes. */
const plain = /^[\w.~+/=-]*$/;

function repeats(json: string, secret: string): boolean {
  if (secret.length < shortestInData || secret.length > json.length) return false;
  return json.includes(plain.test(secret) ? secret : JSON.stringify(secret).slice(1, -1));
}

/** Redacts these secrets in every text of a value, including the names of fields. */
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
  return [...new URLSearchParams(form)].flatMap(([name, value]) => (isSecretField(name) ? [value] : []));
}

function ofBody(body: string): string[] {
  if (!body.startsWith('{')) return ofForm(body);
  const values: Record<string, unknown> = JSON.parse(body);
  const hash = values['hash-pwd'];
  const inHash = typeof hash === 'object' && hash !== null ? Object.entries(hash) : [];
  return [
    ...Object.entries(values).filter(([name]) => isSecretField(name)),
    ...inHash.filter(([name]) => name !== 'algorithm'),
  ].flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
}

/** Returns the forms in which a secret may occur: verbatim, in JSON, in JSON within JSON, in a URL, and in Base64. */
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

/** Patterns of the messages in the catalogue, with numbers for the placeholders. */
const known = [...Object.values(errorCatalogue), ...Object.values(localErrors)].map(
  ({ message }) => new RegExp(`^${quotePattern(message).replace(/\\\{\d\\\}/g, '\\d+')}$`),
);

/**
 * True for a message of the catalogue with at most numbers filled in, which repeats nothing of a request. Redacting a password that
 * happens to be a word of the message would reveal the password.
 */
export function isKnownMessage(text: string): boolean {
  return known.some((pattern) => pattern.test(text));
}

/** Escapes a text for a regular expression. */
function quotePattern(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
