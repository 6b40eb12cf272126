import { present } from '../present.ts';

/** A parsed PostgreSQL address. Parts that the address leaves out are absent, and are taken from the environment. */
export interface PostgresAddress {
  /** Host names, IP addresses or socket directories, in the order in which they are tried; `''` means the default host. */
  hosts: { host: string; port?: number }[];
  user?: string;
  password?: string;
  database?: string;
  /** Parameters after the `?`, except those that set one of the parts above. */
  parameters: Record<string, string>;
}

const form =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^/?#:@]*)(?::(?<password>[^/?#]*))?@)?(?<hosts>[^/?#@]*)(?:\/(?<database>[^/?#@]*))?(?:\?(?<query>[^#]*))?$/i;

/** Matches a parameter. An unescaped `@` elsewhere than in a user or a password may be the end of a password. */
const parameter = /^(?:(?:user|password)=.*|[^=@/]*(?:=[^@]*)?)$/s;

/**
 * Parses `postgres://user:password@host:port,host:port/database?name=value`; all parts are optional. `undefined` if malformed,
 * as an address is whose password has an unescaped `/`, `?` or `#`: no part of it is then taken for a host or a database.
 */
export function readPostgresAddress(address: string): PostgresAddress | undefined {
  const groups = form.exec(address)?.groups;
  if (!groups) return undefined;
  const { query = '' } = groups;
  if (!query.split('&').every((text) => parameter.test(text))) return undefined;
  const { host, port, ...parameters } = Object.fromEntries(new URLSearchParams(query));
  try {
    const hosts = host === undefined ? splitHosts(groups.hosts ?? '') : pairUp(host, port ?? '');
    const parts = { user: groups.user, password: groups.password, database: groups.database };
    const decoded = Object.entries(parts).flatMap(([name, text]) =>
      text ? [[name, decodeURIComponent(text)]] : [],
    );
    const { user, password, dbname, ...others } = parameters;
    const given = { ...Object.fromEntries(decoded), ...present({ user, password, database: dbname }) };
    if (!hosts.every(({ port }) => port === undefined || (port > 0 && port < 65_536))) return undefined;
    return { hosts, ...given, parameters: others };
  } catch {
    return undefined;
  }
}

/** Returns the mode of TLS, as libpq names it: `ssl` is the parameter of drivers, and `sslmode` wins over it. */
export function sslModeOf(
  { sslmode, ssl }: PostgresAddress['parameters'],
  { PGSSLMODE }: { [name: string]: string | undefined },
): string {
  const given = ssl === undefined ? PGSSLMODE : ssl === 'false' || ssl === '0' ? 'disable' : 'verify-full';
  return sslmode ?? given ?? 'disable';
}

function splitHosts(list: string): PostgresAddress['hosts'] {
  return list.split(',').map((text) => {
    const [, inBrackets, plain = '', port] = /^(?:\[([^\]]*)\]|([^[\]:]*))(?::(\d*))?$/.exec(text) ?? [];
    if (inBrackets === undefined && plain === '' && text !== '' && !port) throw new Error('malformed');
    return hostAt(decodeURIComponent(inBrackets ?? plain), port);
  });
}

/** Pairs hosts with ports by position; a single port applies to all hosts. */
function pairUp(hosts: string, ports: string): PostgresAddress['hosts'] {
  const each = ports.split(',');
  return hosts.split(',').map((host, index) => hostAt(host, each.length === 1 ? each[0] : each[index]));
}

function hostAt(host: string, port: string | undefined): { host: string; port?: number } {
  return port ? { host, port: Number(port) } : { host };
}
