/**
 * Why a run stopped by itself: too many rows failed, they all fail in the same way, nothing of the service answers any
 * more, or it lets nothing through.
 */
export type StopCode = 'MAX_FAILURES' | 'SYSTEMIC' | 'HOST_GONE' | 'THROTTLED' | 'CANARY_FAILED';

/** A run took no more rows because to go on would do harm or no good. What was sent is in the books, the rest is pending. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  readonly code: StopCode;
  /** What to do before the run goes on. */
  readonly hint: string;

  constructor(code: StopCode, message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
  }
}
