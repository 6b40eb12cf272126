import { readPostgresAddress } from './postgres-address.ts';

/** True for the address of a PostgreSQL database; any other location is a SQLite file or an unnamed database. */
export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:\/\//i.test(location);
}

/** Schemes of addresses that cannot be opened, with the name of the database or interface. */
const foreign: Readonly<Record<string, string>> = {
  mysql: 'MySQL',
  mariadb: 'MariaDB',
  mongodb: 'MongoDB',
  'mongodb+srv': 'MongoDB',
  redis: 'Redis',
  rediss: 'Redis',
  mssql: 'SQL Server',
  sqlserver: 'SQL Server',
  oracle: 'Oracle',
  cassandra: 'Cassandra',
  jdbc: 'JDBC',
  odbc: 'ODBC',
  sqlite: 'SQLite',
  sqlite3: 'SQLite',
  file: 'SQLite',
};

/** Returns why a location cannot be opened, and what to give instead; `undefined` if it can be opened. */
export function refusedLocation(location: string): { reason: string; hint: string } | undefined {
  if (isPostgres(location) || isUnnamed(location)) return undefined;
  if (/^\s*(?:host|hostaddr|dbname|user|port|service)\s*=/i.test(location)) {
    return {
      reason: 'the database is given as words with =, which is not supported',
      hint: 'Write it as an address: postgres://user@host:5432/database',
    };
  }
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(location)?.[1]?.toLowerCase() ?? '';
  const isKnown = Object.hasOwn(foreign, scheme);
  if (!isKnown && !/^[a-z][a-z0-9+.-]+:\/\//i.test(location)) return undefined;
  const isFile = foreign[scheme] === 'SQLite';
  const ofPostgres = /^(?:cockroach|yugabyte|jdbc|postgres)/.test(scheme);
  return {
    reason: isKnown
      ? `${scheme}: begins the address of ${foreign[scheme]}, which is not supported`
      : `${scheme}:// begins no address of a database that is known here`,
    hint: isFile
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

/**
 * True if an address contains a password. An unescaped `/`, `?` or `#` in the password makes the address malformed, or moves part
 * of the password into the path; both are recognized.
 */
export function hasPassword(address: string): boolean {
  const read = readPostgresAddress(address);
  if (!read) return /:.*:.*@/s.test(address);
  const { password, database = '', parameters } = read;
  return (
    password !== undefined ||
    database.includes('@') ||
    Object.keys(parameters).some((key) => /password/i.test(key))
  );
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|::1|)$/;

/** True for a PostgreSQL address on another machine that does not require TLS; a host that is a path is a local socket. */
export function isUnencrypted(
  address: string,
  { PGHOST, PGSSLMODE }: { [name: string]: string | undefined },
): boolean {
  const read = isPostgres(address) ? readPostgresAddress(address) : undefined;
  if (!read) return false;
  const mode = read.parameters.sslmode ?? PGSSLMODE ?? '';
  const isRemote = read.hosts
    .map(({ host }) => host || PGHOST || '')
    .some((host) => !loopback.test(host) && !host.startsWith('/'));
  return (
    isRemote && !('ssl' in read.parameters) && !/^(?:require|verify-ca|verify-full|no-verify)$/.test(mode)
  );
}

/** Returns a location that is safe to print: of an address, only scheme, hosts and database. */
export function shownDatabase(location: string): string {
  const {
    scheme,
    host = '',
    path = '',
  } = /^(?<scheme>[a-z][a-z0-9+.-]+):\/\/(?:.*@)?(?<host>[^/?#@]*)(?<path>\/[^?#]*)?/i.exec(location)
    ?.groups ?? {};
  if (scheme === undefined) return location;
  return `${isPostgres(location) ? 'postgres' : scheme}://${host}${path}`;
}

/** Returns the path of the audit log, which lies beside the SQLite file; other databases have none. */
export function auditFileOf(database: string): string | undefined {
  return isUnnamed(database) || isPostgres(database) ? undefined : `${database}.audit.jsonl`;
}
