import type { ProxyAddress } from '../../client/transport/proxy-tunnel.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { isLoopback } from './base-url.ts';

/** A proxy, and the environment variable that names it. */
export interface NamedProxy {
  variable: string;
  address: ProxyAddress;
}

/** How requests reach an address: through a proxy or directly. */
export interface Route {
  proxy?: NamedProxy;
  /** Why a proxy is not used although one is set. */
  bypass?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that name a proxy, by the protocol of the base URL. The first one that is set counts, as with curl. */
const variables: Record<string, readonly string[]> = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
};

/**
 * The route to a base URL by the proxy variables. A loopback address uses only a proxy on loopback: on another machine
 * it would mean that machine, and plain http would leave this one. Throws a `ConfigurationError` for an invalid proxy.
 */
export function routeTo(baseUrl: string, env: Environment): Route {
  const url = new URL(baseUrl);
  const variable = variables[url.protocol]?.find((name) => env[name] !== undefined);
  const value = variable && env[variable]?.trim();
  if (!variable || !value) return {};
  const exempt = ['no_proxy', 'NO_PROXY'].find((name) => env[name] !== undefined);
  if (exempt && isExempt(url, env[exempt] ?? '')) return { bypass: exempt };
  const address = proxyAddress(variable, value);
  if (isLoopback(url.hostname) && !isLoopback(address.hostname)) {
    return { bypass: 'loopback address' };
  }
  return { proxy: { variable, address } };
}

export function proxyOf(baseUrl: string, env: Environment): { proxy?: ProxyAddress } {
  const { proxy } = routeTo(baseUrl, env);
  return proxy ? { proxy: proxy.address } : {};
}

function proxyAddress(variable: string, value: string): ProxyAddress {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const hint = 'Write it as http://[NAME:PASSWORD@]HOST:PORT, or list the host in NO_PROXY.';
  if (!url?.hostname) throw new ConfigurationError(`the proxy in ${variable} is not a valid URL`, hint);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const kind = url.protocol.slice(0, -1);
    throw new ConfigurationError(
      `the proxy in ${variable} uses ${kind}, but only http and https are supported`,
      hint,
    );
  }
  return url;
}

/** True if `NO_PROXY` lists a URL: hosts and domains separated by commas or spaces, optionally with a port; `*` is every host. */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list.split(/[,\s]+/).some((entry) => {
    if (entry === '*') return true;
    const [, name = '', only] = /^(.*?[^:]|\[.*\])(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
    if (!domain || (only && only !== port)) return false;
    return host === domain || host === `[${domain}]` || host.endsWith(`.${domain}`);
  });
}
