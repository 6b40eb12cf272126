import { existsSync } from 'node:fs';
import { readPostgresAddress, sslModeOf } from './postgres-address.ts';

/** True for the address of a PostgreSQL database; any other location is a SQLite file or an unnamed database. */
export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:\/\//i.test(location);
}

/** Matches the words with which libpq, ODBC and ADO.NET name a database, which would be the name of a file. */
const words =
  /^\s*(?:host(?:addr)?|dbname|database|data ?source|dsn|driver|server|service|port|user(?:name| id)?|uid|password|pwd)\s*=/i;

/** Returns why a location cannot be opened, and what to give instead; `undefined` if it can be opened. */
export function refusedLocation(location: string): { reason: string; hint: string } | undefined {
  if (isPostgres(location) || isUnnamed(location)) return undefined;
  if (words.test(location)) {
    return {
      reason: 'the database is given as words with =, which is not supported',
      hint: 'Write it as an address: postgres://user@host:5432/database',
    };
  }
  const foreign = /^(?:[a-z][a-z0-9+.-]+:\/\/|(?:jdbc|odbc|sqlite3?|file|postgres(?:ql)?):)/i
    .exec(location)?.[0]
    .toLowerCase();
  if (foreign === undefined) return undefined;
  const ofPostgres = /^(?:cockroach|yugabyte|jdbc|postgres)/.test(foreign);
  return {
    reason: `${foreign} begins no address of a database that can be opened`,
    hint: /^(?:sqlite|file)/.test(foreign)
      ? 'Name the file itself, such as tenant.db.'
      : `Use PostgreSQL, postgres://user@host/database${ofPostgres ? ', also for what speaks its protocol' : ''}, or name a SQLite file.`,
  };
}

/**
 * A private database that disappears with its process, even after a crash. It is kept in memory; what does not fit there goes into
 * an unnamed file.
 */
export const temporaryDatabase = ':temporary:';

/** True for a database that has neither a file name nor an address. */
export function isUnnamed(location: string): boolean {
  return location === ':memory:' || location === temporaryDatabase;
}

/** True for the location of a SQLite file that does not exist. */
export function isMissingFile(location: string): boolean {
  return !isUnnamed(location) && !isPostgres(location) && !existsSync(location);
}

/** True if an address contains a password, also if an unescaped `/`, `?` or `#` in the password makes it malformed. */
export function hasPassword(address: string): boolean {
  const read = readPostgresAddress(address);
  if (!read) return /:.*:.*@/s.test(address);
  return read.password !== undefined || Object.keys(read.parameters).some((key) => /password/i.test(key));
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|::1|)$/;

/** True for a PostgreSQL address on another machine that does not require TLS; a host that is a path is a local socket. */
export function isUnencrypted(address: string, env: { [name: string]: string | undefined }): boolean {
  const read = isPostgres(address) ? readPostgresAddress(address) : undefined;
  if (!read) return false;
  const isRemote = read.hosts
    .map(({ host }) => host || env.PGHOST || '')
    .some((host) => !loopback.test(host) && !host.startsWith('/'));
  return isRemote && !/^(?:require|verify-ca|verify-full|no-verify)$/.test(sslModeOf(read.parameters, env));
}

/**
 * Returns a location that is safe to print: of an address, only scheme, hosts and database, also if its parameters name them, and
 * of a malformed one only the scheme. It also identifies a database: other hosts or another database give another text. `env`: fills
 * in what the address leaves out, as the driver does; without it the text only says what the address has.
 */
export function shownDatabase(location: string, env?: { [name: string]: string | undefined }): string {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1];
  if (scheme === undefined) return location;
  const address = readPostgresAddress(location);
  if (!address) return `${isPostgres(location) ? 'postgres' : scheme}://…`;
  const { user = env?.PGUSER || env?.USER || env?.USERNAME } = address;
  const { database = env && (env.PGDATABASE || user) } = address;
  const places = address.hosts.map(({ host: own, port = env?.PGPORT }) => {
    const host = own || (env && (env.PGHOST || 'localhost')) || '';
    const name = host.includes(':') ? `[${host}]` : encodeURIComponent(host);
    return port && !(env && String(port) === '5432') ? `${name}:${port}` : name;
  });
  return `postgres://${places.join(',')}${database === undefined ? '' : `/${encodeURIComponent(database)}`}`;
}

/** Returns the path of the audit log, which lies beside the SQLite file; other databases have none. */
export function auditFileOf(database: string): string | undefined {
  return isUnnamed(database) || isPostgres(database) ? undefined : `${database}.audit.jsonl`;
}
