/** True for the address of a PostgreSQL database; any other location is a file or `:memory:`. */
export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:/.test(location);
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
  if (!URL.canParse(address)) return /:.*:.*@/s.test(address);
  const { password, pathname, searchParams } = new URL(address);
  return (
    password !== '' || pathname.includes('@') || [...searchParams.keys()].some((key) => /password/i.test(key))
  );
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|)$/;

/** True for the address of a PostgreSQL database on another machine that does not ask for TLS; a path is a local socket. */
export function isUnencrypted(
  address: string,
  { PGHOST, PGSSLMODE }: { [name: string]: string | undefined },
): boolean {
  if (!isPostgres(address) || !URL.canParse(address)) return false;
  const { hostname, searchParams } = new URL(address);
  const host = searchParams.get('host') || decodeURIComponent(hostname) || PGHOST || '';
  const mode = searchParams.get('sslmode') ?? PGSSLMODE ?? '';
  const isLocal = loopback.test(host) || host.startsWith('/');
  return !isLocal && !searchParams.has('ssl') && !/^(?:require|verify-ca|verify-full|no-verify)$/.test(mode);
}

/** A location that is safe to print: of a PostgreSQL address, the host and the database only. */
export function shownDatabase(location: string): string {
  if (!isPostgres(location)) return location;
  const { host = '', path = '' } =
    /^postgres(?:ql)?:\/\/(?:.*@)?(?<host>[^/?#@]*)(?<path>\/[^?#]*)?/.exec(location)?.groups ?? {};
  return `postgres://${host}${path}`;
}

/** The audit log that belongs to a SQLite file lies beside it; other databases have none. */
export function auditFileOf(database: string): string | undefined {
  return isUnnamed(database) || isPostgres(database) ? undefined : `${database}.audit.jsonl`;
}
