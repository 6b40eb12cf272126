/** Formats a host for a URL: an IPv6 address gets brackets. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
