import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Guard } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import type { Traffic } from './draining.ts';

/**
 * Adds the request id to every reply, and headers that keep user data out of caches and browsers from guessing its type; over TLS
 * also the one that keeps browsers from returning to HTTP. While the service drains, replies close their connections; so do
 * rejections of callers without a token.
 */
export function addReplyHeaders(app: FastifyInstance, traffic: Traffic, isTls: boolean): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    if (isTls) reply.header('strict-transport-security', 'max-age=31536000');
    if (traffic.isDraining() || endsConnection(request, reply)) reply.header('connection', 'close');
    done();
  });
}

/**
 * True for a rejection without a valid token, unless a trusted proxy uses the connection for other callers too, or a part of the body
 * is on the way: this would reset the connection, and the caller might never read the error.
 */
function endsConnection({ clientId, ip, raw }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  if (statusCode < 400 || clientId !== '' || ip !== raw.socket.remoteAddress) return false;
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = raw.headers;
  return raw.complete || (encoding === undefined && length === '0');
}

/** Node.js uses the first header of these names, while a proxy may have checked the last. */
const single = ['authorization', 'host'];

/** Hook that rejects a request with several headers of a name that says who is calling, or whom. */
export const rejectRepeatedHeaders: Guard = ({ raw: { rawHeaders } }, _reply, done) => {
  const repeated = single.find((name) => countOf(name, rawHeaders) > 1);
  done(repeated === undefined ? undefined : apiError('requestInvalid', `it has several headers ${repeated}`));
};

/** Number of the headers of a name in a list of names, each followed by its value. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}

/** A caller's id is used only if it cannot be mistaken for anything else in a log. */
const idShape = /^[\w.-]{1,64}$/;

/** Returns a function that gives a request the caller's `x-request-id`, or else an id unique across all starts of the service. */
export function requestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const start = randomBytes(6).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && idShape.test(given)) return given;
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}

/**
 * Makes `X-Forwarded-For` a list of addresses before it is read. Some proxies add the port of the connection, which would give each
 * connection of a caller a limit of its own. What stands before an entry of any other form does not count: the address of the proxy
 * that wrote this entry stands for the caller.
 */
export function readForwardedFor(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const given = headers['x-forwarded-for'];
    if (typeof given === 'string') headers['x-forwarded-for'] = addressesOf(given).join(', ');
    done();
  });
}

function addressesOf(list: string): string[] {
  const entries = list.split(',').map(withoutPort);
  return entries.slice(entries.findLastIndex((entry) => isIP(entry) === 0) + 1);
}

/** `203.0.113.5:41234`, `[2001:db8::1]:41234` and `[2001:db8::1]` have the forms that proxies write. */
function withoutPort(entry: string): string {
  const [text, inBrackets, plain] = /^(?:\[(.*)\]|([\d.]+))(?::\d*)?$/.exec(entry.trim()) ?? [entry.trim()];
  return inBrackets ?? plain ?? text;
}
