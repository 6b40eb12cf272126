import { localErrors } from '../contract/errors.ts';

/**
 * Whether the call had an effect: `none` (the service refused it or never received it) or `unknown` (it was sent, but no answer
 * came back, so a write may have been carried out).
 */
export type Effect = 'none' | 'unknown';

/** The service understood the call and refused it, with a code of §7.2 or one of the local service. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  /**
   * `unknown` if the service failed (status 500 or above, or code of `systemBusy`) or its answer is also that of a success: it may
   * have carried out the call.
   */
  readonly effect: Effect;
  /** True if the same call does no harm when it is made again, whatever its effect was. */
  readonly isRepeatable: boolean;

  constructor(
    code: string,
    message: string,
    status: number,
    { isRepeatable = false, isAlsoSuccess = false }: { isRepeatable?: boolean; isAlsoSuccess?: boolean } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.isRepeatable = isRepeatable;
    const mayBeDone = status >= 500 || code === localErrors.systemBusy.code || isAlsoSuccess;
    this.effect = mayBeDone ? 'unknown' : 'none';
  }
}

/** Wrong credentials, or a token that is rejected even when fresh (§4.1, §5.3). */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
  /** Value of `error`: `invalid_client`, `invalid_token`, … */
  readonly code: string;
  readonly status: number;
  readonly effect: Effect = 'none';
  /**
   * True if other calls were accepted with the token of this one: so the credentials are good, and with `invalid_token` the token
   * has expired, or the service never accepts this call.
   */
  readonly tokenWasAccepted: boolean;
  /** What to do about the error; empty if the remedy for the code is enough. */
  readonly hint: string;

  constructor(code: string, message: string, status: number, tokenWasAccepted = false, hint = '') {
    super(message);
    this.code = code;
    this.status = status;
    this.tokenWasAccepted = tokenWasAccepted;
    this.hint = hint;
  }
}

/**
 * Why there was no usable answer. What a status without a code of the API means is decided in `exchange.ts`: `throttled` is 429,
 * `busy` 503, `unavailable` that of a gateway which reaches no service or waits no longer (502, 504, 408), and `failing` any other
 * failure of a service.
 */
export type NetworkFault =
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'proxy'
  | 'interrupted'
  | 'throttled'
  | 'busy'
  | 'unavailable'
  | 'failing'
  | 'tooLong'
  | 'notTheApi';

/** No usable answer: host not found or refused, timed out, cut off, a gateway's error page, or another service. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly fault: NetworkFault;
  readonly effect: Effect;
  /** HTTP status, if there was an answer at all. */
  readonly status: number | undefined;
  /** Milliseconds that the service asked to wait (`Retry-After`). */
  readonly retryAfter: number | undefined;
  /** What to do about the error; empty if there is no advice. */
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

/** A call was not sent: the token for it could not be obtained or stored, or a look-up before it failed (`cause`). */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';

  constructor(cause: unknown) {
    super('the call was not sent', { cause });
  }
}
