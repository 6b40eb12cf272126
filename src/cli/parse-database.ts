import { UsageError } from './failures.ts';

/**
 * Option parser: a SQLite file, `:memory:` or `postgres://…`. Throws `UsageError` for an address with a password: every
 * user of the machine can read the arguments of a process.
 */
export function parseDatabase(text: string): string {
  if (/^postgres(ql)?:/.test(text) && hasPassword(text)) {
    throw new UsageError(
      'the address of the database has a password, which other users of this machine could read',
      'Leave it out of the address, and give it in PGPASSWORD or in ~/.pgpass.',
    );
  }
  return text;
}

/** A password with unescaped `/`, `?` or `#` makes the address malformed, or part of it a path. */
function hasPassword(address: string): boolean {
  if (!URL.canParse(address)) return /:.*:.*@/s.test(address);
  const { password, pathname, searchParams } = new URL(address);
  return (
    password !== '' || pathname.includes('@') || [...searchParams.keys()].some((key) => /password/i.test(key))
  );
}
