import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

const header = 'x-forwarded-for';

/**
 * Makes `X-Forwarded-For` a list of addresses before it is read. Some proxies add the port of the connection, which would give each
 * connection of a caller a limit of its own. What stands before an entry of any other form does not count: the address of the proxy
 * that wrote this entry stands for the caller.
 */
export function readForwardedFor(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const given = headers[header];
    if (typeof given === 'string') headers[header] = addressesOf(given).join(', ');
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
