import type { ProxyAddress } from '../../client/proxy-tunnel.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { isLoopback } from './settings.ts';

/** A proxy, and the environment variable that names it. */
export interface NamedProxy {
  variable: string;
  address: ProxyAddress;
}

/** Where requests to an address go: through a proxy, or not because of a variable, or because none is set. */
export interface Route {
  proxy?: NamedProxy;
  /** Why a proxy that is set is left out. */
  bypass?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that name a proxy, per protocol of the base URL: the first that is set counts, as with curl. */
const variables: Record<string, readonly string[]> = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
};

/**
 * The way to a base URL by the proxy variables. A loopback address goes through a proxy on loopback only: for another
 * machine it would mean that machine, and plain http would leave this one. Throws `ConfigurationError`.
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

/** The proxy for a base URL as a client takes it. */
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

/** `NO_PROXY`: hosts and domains between commas or spaces, each perhaps with a port; `*` is every host. */
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
