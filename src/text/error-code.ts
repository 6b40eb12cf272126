/** Returns the code of a system or library error, such as `ENOENT`; `undefined` if there is none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
