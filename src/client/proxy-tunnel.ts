import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** An HTTP proxy, as `http://[NAME:PASSWORD@]HOST[:PORT]` or with https. */
export type ProxyAddress = URL;

/** The proxy did not connect: it cannot be reached itself (`cause`), or it answered and refused (`status`). */
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

/** Where a tunnel ends. */
export interface TunnelEnd {
  /** Name or address, IPv6 without brackets; the proxy looks it up. */
  hostname: string;
  port: number;
}

/**
 * Asks a proxy for a connection (CONNECT, RFC 9110, section 9.3.6) and resolves to the bare connection behind it.
 * Rejects with a `TunnelError`; an abort of the signal gives it up.
 */
export async function openTunnel(proxy: ProxyAddress, to: TunnelEnd, signal: AbortSignal): Promise<Socket> {
  const secure = proxy.protocol === 'https:';
  const { request } = await (secure ? import('node:https') : import('node:http'));
  const authority = `${to.hostname.includes(':') ? `[${to.hostname}]` : to.hostname}:${to.port}`;
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

/** Host of an address, IPv6 without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Port of an address, or that of its protocol. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

/** The proxy's address as it may be shown: without its credentials. */
export function shownProxy(proxy: ProxyAddress): string {
  return proxy.origin;
}

function authorizationOf({ username, password }: ProxyAddress): Record<string, string> {
  if (!username && !password) return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** A password may hold a bare `%`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
