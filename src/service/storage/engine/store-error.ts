import { errorCode } from '../../../text/error-code.ts';
/**
 * A failure of the database, with the message and the SQLSTATE or system code of its cause. Nothing else of the cause is kept: what
 * a driver adds (the row, the values, the address with its password) must not reach a log.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: string | undefined;
  /** What to do, if there is more to say than about any database that cannot be used. */
  readonly hint: string | undefined;

  constructor(message: string, code?: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Converts what a driver threw to a `StoreError`. */
export function asStoreError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  if (!(cause instanceof Error)) return new StoreError('the database failed');
  // A host name with several addresses fails with an error for each address, and without a message of its own.
  const [first] = cause instanceof AggregateError ? cause.errors : [];
  return new StoreError(
    cause.message || (first instanceof Error ? first.message : 'the database failed'),
    errorCode(cause),
  );
}
