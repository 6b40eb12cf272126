import type { FastifyInstance } from 'fastify';
import { refusal } from './refusal.ts';
import type { Body } from './rules/check-values.ts';

/** Largest body in bytes (decision 9). */
export const bodyLimit = 5 * 1024 * 1024;

/** Reads `application/json*` and form bodies; an empty one is no body (the bodyless calls of §4 send the header). */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/json/i, { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch {
      done(refusal('requestInvalid', 'the body is not JSON'));
    }
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    },
  );
}

/** A body that must be a JSON object; throws `requestInvalid`. */
export function objectOf(body: unknown): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refusal('requestInvalid', 'the body must be a JSON object');
  }
  return body as Body;
}

/** A truth value of a body, or `fallback` when it is absent; throws `requestInvalid` for any other type. */
export function truthOf(body: Body, name: string, fallback: boolean): boolean {
  const value = body[name] ?? fallback;
  if (typeof value !== 'boolean') throw refusal('requestInvalid', `${name} must be true or false`);
  return value;
}

/** A text of a body, `''` when it is absent; throws `requestInvalid` for any other type. */
export function textOf(body: Body, name: string): string {
  const value = body[name] ?? '';
  if (typeof value !== 'string') throw refusal('requestInvalid', `${name} must be a text`);
  return value;
}
