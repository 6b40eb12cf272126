import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { urlHost } from '../../text/locations/url-host.ts';

/** Address of an HTTP proxy, `http://[NAME:PASSWORD@]HOST[:PORT]`, or the same with https. */
export type ProxyAddress = URL;

/** The proxy did not connect: it cannot be reached (`cause`), or it refused the request (`status`). */
export class TunnelError extends Error {
  override readonly name = 'TunnelError';
  readonly proxy: ProxyAddress;
  readonly status: number | undefined;

  constructor(proxy: ProxyAddress, details: { status?: number | undefined; cause?: unknown }) {
    super('no tunnel through the proxy', { cause: details.cause });
    this.proxy = proxy;
    this.status = details.status;
  }
}

/**
 * Opens a connection through a proxy (CONNECT, RFC 9110, section 9.3.6), and resolves to its bare socket. The proxy looks the
 * host up, an IPv6 address without brackets. Rejects with a `TunnelError`; aborting the signal cancels the attempt.
 */
export async function openTunnel(
  proxy: ProxyAddress,
  to: { hostname: string; port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const secure = proxy.protocol === 'https:';
  const { request } = await (secure ? import('node:https') : import('node:http'));
  const authority = `${urlHost(to.hostname)}:${to.port}`;
  return new Promise((resolve, reject) => {
    const call = request({
      method: 'CONNECT',
      host: hostOf(proxy),
      port: portOf(proxy),
      path: authority,
      headers: { host: authority, ...authorizationOf(proxy) },
      agent: false,
      ...(secure ? { rejectUnauthorized: true } : {}),
      signal,
    });
    call.once('connect', ({ statusCode = 0 }: IncomingMessage, socket: Socket, head: Buffer) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(new TunnelError(proxy, { status: statusCode }));
    });
    call.on('error', (cause) => reject(new TunnelError(proxy, { cause })));
    call.end();
  });
}

/** Returns the host of a URL, IPv6 without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Returns the port of a URL, or the default port of its protocol. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

/** Returns the proxy's address without its credentials, safe to show. */
export function shownProxy(proxy: ProxyAddress): string {
  return proxy.origin;
}

function authorizationOf({ username, password }: ProxyAddress): Record<string, string> {
  if (!username && !password) return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Decodes percent-encoding; a password with a bare `%` is returned as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
