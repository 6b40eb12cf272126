/** Returns the code of a system or library error, such as `ENOENT`, or of SQLite, such as `SQLITE_FULL`; `undefined` if there is none. */
export function errorCode(error: unknown): string | undefined {
  // SQLite's own code; `code` is the same for all of them.
  if (error instanceof Error && 'sqliteCodeName' in error) return String(error.sqliteCodeName);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
