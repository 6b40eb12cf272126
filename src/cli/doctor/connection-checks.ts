import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import { toNetworkError } from '../../client/network-error.ts';
import { hostOf, openTunnel, portOf, shownProxy } from '../../client/transport/proxy-tunnel.ts';
import { type Route, routeTo } from '../config/proxy.ts';
import type { CommandContext } from '../context/context.ts';
import { type CheckResult, failedBy, fine, skipped, warned } from './check.ts';

const names = { proxy: 'proxy', host: 'host name', connection: 'connection', tls: 'TLS' } as const;
/** Days: a certificate that expires earlier gets a warning. */
const fewDays = 14;

/** Checks the way to the base URL step by step, without sending a request: proxy, host name, connection, TLS. */
export async function checkConnection(context: CommandContext, baseUrl: string): Promise<CheckResult[]> {
  let route: Route;
  try {
    route = routeTo(baseUrl, context.env);
  } catch (failure) {
    return [failedBy(names.proxy, failure), ...skipAfter(names.proxy, 'the proxy is invalid')];
  }
  const url = new URL(baseUrl);
  const limit = (context.options.timeout ?? 10) * 1000;
  const proxy = proxyCheck(route);
  const host = await checkHost(url, route, limit);
  if (host.status === 'failed')
    return [proxy, host, ...skipAfter(names.host, 'the host name cannot be resolved')];
  let socket: Socket;
  const started = performance.now();
  try {
    socket = await connectTo(url, route, limit);
  } catch (cause) {
    const failure = toNetworkError(url.origin, cause);
    const connection = failedBy(names.connection, failure);
    return [proxy, host, connection, ...skipAfter(names.connection, 'there is no connection')];
  }
  const took = Math.round(performance.now() - started);
  const connection = fine(names.connection, `${url.hostname}:${portOf(url)} connected in ${took} ms`);
  try {
    return [proxy, host, connection, await checkTls(context, url, socket, limit)];
  } finally {
    socket.destroy();
  }
}

/** The steps after the failed step `name`, as skipped checks. */
function skipAfter(name: string, why: string): CheckResult[] {
  const order = Object.values(names);
  return order.slice(order.indexOf(name as (typeof order)[number]) + 1).map((next) => skipped(next, why));
}

function proxyCheck({ proxy, bypass }: Route): CheckResult {
  if (proxy) return fine(names.proxy, `${shownProxy(proxy.address)}, from ${proxy.variable}`);
  return fine(names.proxy, bypass ? `none (${bypass})` : 'none');
}

async function checkHost(url: URL, { proxy }: Route, limit: number): Promise<CheckResult> {
  const host = hostOf(url);
  if (proxy) return skipped(names.host, `the proxy resolves ${host}`);
  if (isIP(host)) return skipped(names.host, `${host} is an IP address`);
  try {
    const found = await within(limit, lookup(host, { all: true }));
    return fine(names.host, `${host} is ${found.map(({ address }) => address).join(', ')}`);
  } catch (cause) {
    return failedBy(names.host, toNetworkError(url.origin, cause));
  }
}

function connectTo(url: URL, { proxy }: Route, limit: number): Promise<Socket> {
  const to = { hostname: hostOf(url), port: portOf(url) };
  if (proxy) return within(limit, openTunnel(proxy.address, to, AbortSignal.timeout(limit)));
  const socket = connect(to.port, to.hostname);
  return within(limit, eventOf(socket, 'connect')).catch((cause: unknown) => {
    socket.destroy();
    throw cause;
  });
}

async function checkTls(context: CommandContext, url: URL, socket: Socket, limit: number) {
  if (url.protocol === 'http:') return skipped(names.tls, 'plain http on loopback');
  const host = hostOf(url);
  const servername = isIP(host) ? {} : { servername: host };
  // Accepts an untrusted certificate so that it can be described. Nothing is ever sent on this connection.
  const secure = connectTls({ socket, host, ...servername, rejectUnauthorized: false });
  try {
    await within(limit, eventOf(secure, 'secureConnect'));
    return describeTls(context, url, secure);
  } catch (cause) {
    return failedBy(names.tls, toNetworkError(url.origin, cause));
  } finally {
    secure.destroy();
  }
}

function describeTls(context: CommandContext, url: URL, secure: TLSSocket): CheckResult {
  const certificate = secure.getPeerCertificate();
  const left = Math.floor((Date.parse(certificate.valid_to) - context.now()) / 86_400_000);
  const from = Date.parse(certificate.valid_from) > context.now() ? ` from ${certificate.valid_from}` : '';
  const described = `issued by ${issuerOf(certificate)}, valid${from} until ${certificate.valid_to}, ${left} days left`;
  if (!secure.authorized) {
    const code = String(secure.authorizationError);
    const cause = Object.assign(new Error(code), { code });
    const failed = failedBy(names.tls, toNetworkError(url.origin, cause));
    return { ...failed, message: `${failed.message}; it is ${described}` };
  }
  const message = `${secure.getProtocol()}, certificate ${described}`;
  if (left >= fewDays) return fine(names.tls, message);
  return warned(names.tls, message, 'Renew the certificate of the service.');
}

function issuerOf({ issuer }: PeerCertificate): string {
  const { O, CN } = issuer ?? {};
  return [CN, O].filter(Boolean).join(', ') || 'an unnamed issuer';
}

function eventOf<One extends Socket>(socket: One, event: string): Promise<One> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve(socket)).on('error', reject);
  });
}

/** Rejects like an unanswered connection (`ETIMEDOUT`) if `work` takes longer than `limit` milliseconds. */
async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const timeout = Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' });
    timer = setTimeout(() => reject(timeout), limit);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
