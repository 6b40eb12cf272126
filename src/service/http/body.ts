import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { isRecord } from '../../contract/is-record.ts';
import { apiError } from '../errors/api-error.ts';
import type { Body } from '../validation/check-values.ts';

/** Largest body in bytes (decision 9). */
export const bodyLimit = 5 * 1024 * 1024;

/** Reads `application/json*` and form bodies; an empty one is no body (the bodyless calls of §4 send the header). */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(/^application\/json/i, { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, body.length === 0 ? undefined : JSON.parse(textOfBytes(body)));
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
}

/** Throws for bytes of another encoding, which would otherwise be stored with replaced letters; removes a byte order mark. */
function textOfBytes(body: Buffer): string {
  if (!isUtf8(body)) throw new TypeError('not UTF-8');
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** A body that must be a JSON object; throws `requestInvalid`, or `mediaTypeNotSupported` for a form. */
export function requireObject(body: unknown): Body {
  if (body instanceof URLSearchParams) throw apiError('mediaTypeNotSupported');
  if (!isRecord(body)) throw apiError('requestInvalid', 'the body must be a JSON object');
  return body;
}

/** A boolean of a body, or `fallback` when it is absent; throws `requestInvalid` for any other type. */
export function readBoolean(body: Body, name: string, fallback: boolean): boolean {
  const value = body[name] ?? fallback;
  if (typeof value !== 'boolean') throw apiError('requestInvalid', `${name} must be true or false`);
  return value;
}

/** A text of a body, `''` when it is absent; throws `requestInvalid` for any other type. */
export function readTextBody(body: Body, name: string): string {
  const value = body[name] ?? '';
  if (typeof value !== 'string') throw apiError('requestInvalid', `${name} must be a text`);
  return value;
}
