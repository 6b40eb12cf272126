import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isRecord } from '../../contract/is-record.ts';
import { apiError, type ErrorReply } from '../errors/api-error.ts';
import { type Body, isEmpty } from '../validation/check-values.ts';

/** Maximum body size in bytes of operations that take a picture, applied after the bearer token was checked (decision 9). */
export const bodyLimit = 5 * 1024 * 1024;

/** Maximum body size in bytes of all other operations, and of all that need no bearer token (decision 41). */
export const smallBodyLimit = 16 * 1024;

/** Maximum levels of lists and objects: deeper ones take seconds to parse, and no request needs them (decision 41). */
const mostLevels = 32;

/** Content type of answers that are serialized as JSON without Fastify. */
export const jsonType = 'application/json; charset=utf-8';

/** Parses `application/json*` and form bodies. An empty body is none: the calls without a body in §4 send the header. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(/^application\/json/i, { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    const fault = faultOfEncoding(request);
    if (fault) return done(fault);
    if (isTooDeep(body))
      return done(apiError('requestInvalid', `the body has more than ${mostLevels} levels`));
    try {
      done(null, JSON.parse(textOf(body)));
    } catch {
      done(apiError('requestInvalid', 'the body is not JSON in UTF-8'));
    }
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, new URLSearchParams(String(body)));
    },
  );
  // Some clients send a type with an empty body, and some proxies send an empty body in chunks.
  app.addContentTypeParser('*', (_request, payload, done) => {
    const isNone = () => done(null);
    payload.once('end', isNone).once('data', () => {
      payload.off('end', isNone);
      done(unsupportedType());
    });
  });
}

/** The API error of a body that is declared as something other than JSON. */
export const unsupportedType = () => apiError('mediaTypeNotSupported', 'content type', 'application/json');

/** Returns the API error of a body that is declared as compressed: it would be read as another text, or as none. */
function faultOfEncoding({ headers }: FastifyRequest): ErrorReply | undefined {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() === 'identity') return undefined;
  return apiError('mediaTypeNotSupported', 'content encoding', 'the body without one');
}

const [quote, backslash, bracket, brace] = [0x22, 0x5c, 0x5b, 0x7b];
const opening = new Set([bracket, brace]);
const closing = new Set([0x5d, 0x7d]);

/** True if a byte occurs `mostLevels / 2` times, as `[` or `{` does in every body that is too deep; rules out most bodies. */
function isFrequent(body: Buffer, byte: number): boolean {
  let found = 0;
  for (let at = body.indexOf(byte); at >= 0 && found < mostLevels / 2; at = body.indexOf(byte, at + 1))
    found += 1;
  return found >= mostLevels / 2;
}

/** Counts brackets outside of strings before anything is parsed. */
function isTooDeep(body: Buffer): boolean {
  if (!isFrequent(body, bracket) && !isFrequent(body, brace)) return false;
  let levels = 0;
  let isText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (opening.has(byte)) levels += 1;
    else if (closing.has(byte)) levels -= 1;
    if (levels > mostLevels) return true;
  }
  return false;
}

/** Decodes a body and removes a byte order mark. Throws if it is not UTF-8, which would be stored with replaced characters. */
function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw new TypeError('not UTF-8');
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Returns a body that must be a JSON object; throws `requestInvalid`, or `mediaTypeNotSupported` for a form. */
export function requireObject(body: unknown): Body {
  if (body instanceof URLSearchParams) throw unsupportedType();
  if (!isRecord(body)) throw apiError('requestInvalid', 'the body must be a JSON object');
  return body;
}

/** Returns a boolean field of a body, true if it is empty (decision 21); throws `requestInvalid` for any other type. */
export function readBoolean(body: Body, name: string): boolean {
  const value = body[name];
  if (isEmpty(value)) return true;
  if (typeof value !== 'boolean') throw apiError('requestInvalid', `${name} must be true or false`);
  return value;
}

/** Returns a text field of a body, default `''`; throws `requestInvalid` for any other type. */
export function readTextField(body: Body, name: string): string {
  const value = body[name] ?? '';
  if (typeof value !== 'string') throw apiError('requestInvalid', `${name} must be a text`);
  return value;
}
