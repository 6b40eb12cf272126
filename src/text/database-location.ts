import { readPostgresAddress } from './postgres-address.ts';

/** True for the address of a PostgreSQL database; any other location is a file or `:memory:`. */
export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:\/\//i.test(location);
}

/** What stands before the `:` in the addresses of other databases, and of what no database answers. */
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

/** Why a location is none that can be opened, and what to give; `undefined` for one that is. */
export function refusedLocation(location: string): { reason: string; hint: string } | undefined {
  if (isPostgres(location) || isUnnamed(location)) return undefined;
  if (/^\s*(?:host|hostaddr|dbname|user|port|service)\s*=/i.test(location)) {
    return {
      reason: 'the database is given as words with =, which is not read',
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
      ? `${scheme}: begins the address of ${foreign[scheme]}, which is not read`
      : `${scheme}:// begins no address of a database that is known here`,
    hint: isFile
      ? 'Name the file itself, such as tenant.db.'
      : `Use PostgreSQL, postgres://user@host/database${ofPostgres ? ', also for what speaks its protocol' : ''}, or name a SQLite file.`,
  };
}

/**
 * A database that nobody else can open and that ends with its process, however that ends: in memory, and what does not fit
 * there in a file without a name.
 */
export const temporaryDatabase = ':temporary:';

/** True for a database that is no file of its own and no address. */
export function isUnnamed(location: string): boolean {
  return location === ':memory:' || location === temporaryDatabase;
}

/**
 * True for an address with a password. One with unescaped `/`, `?` or `#` makes the address malformed, or part of it a
 * path.
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

/** True for the address of a PostgreSQL database on another machine that does not ask for TLS; a path is a local socket. */
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

/** A location that is safe to print: of an address, the hosts and the database only. */
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

/** The audit log that belongs to a SQLite file lies beside it; other databases have none. */
export function auditFileOf(database: string): string | undefined {
  return isUnnamed(database) || isPostgres(database) ? undefined : `${database}.audit.jsonl`;
}
