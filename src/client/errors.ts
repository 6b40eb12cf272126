import { localErrors } from '../contract/local-errors.ts';

/**
 * Whether the call had an effect: `none` (the service refused it or never saw it) or `unknown` (it was sent and
 * no answer came back, so a write may have been carried out).
 */
export type Effect = 'none' | 'unknown';

/** The service understood the call and refused it with a code of §7.2 or a service-local one. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  /** A service that fails may have done so after it carried the call out. It says so by 500, or by its code in any answer. */
  readonly effect: Effect;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
    this.effect = status >= 500 || code === localErrors.systemBusy.code ? 'unknown' : 'none';
  }
}

/** Wrong credentials or a token that is not accepted even when fresh (§4.1, §5.3). */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
  /** Value of `error`: `invalid_client`, `invalid_token`, … */
  readonly code: string;
  readonly status: number;
  readonly effect: Effect = 'none';
  /** The token was accepted before: it has expired, and the same call with the next token may succeed. */
  readonly tokenHasExpired: boolean;

  constructor(code: string, message: string, status: number, tokenHasExpired = false) {
    super(message);
    this.code = code;
    this.status = status;
    this.tokenHasExpired = tokenHasExpired;
  }
}

/** What kept a usable answer away. */
export type NetworkFault =
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'proxy'
  | 'interrupted'
  | 'unavailable'
  | 'notTheApi';

/** No usable answer: host not found or refused, timed out, cut off, a gateway's error page, or another service. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly fault: NetworkFault;
  readonly effect: Effect;
  /** HTTP status, when there was an answer at all. */
  readonly status: number | undefined;
  /** Milliseconds the service asked to wait (`Retry-After`). */
  readonly retryAfter: number | undefined;
  /** What to do about it; empty where there is nothing to advise. */
  readonly hint: string;

  constructor(
    fault: NetworkFault,
    message: string,
    details: {
      effect: Effect;
      status?: number;
      retryAfter?: number | undefined;
      hint?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.fault = fault;
    this.effect = details.effect;
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.hint = details.hint ?? '';
  }
}
