import {
  type ApiErrorName,
  apiErrors,
  type ErrorEntry,
  localErrors,
  type TokenErrorName,
  tokenErrors,
} from '../../contract/errors.ts';

/** An API error, thrown by a rule; only the error handler turns it into a reply (§7.1). `code` is in the body, too. */
export class ErrorReply extends Error {
  override readonly name = 'ErrorReply';
  readonly status: number;
  readonly code: string;
  readonly body: object;

  constructor(status: number, code: string, message: string, body: object) {
    super(message);
    this.status = status;
    this.code = code;
    this.body = body;
  }
}

function replyOf({ status, code, message }: ErrorEntry, values: string[] = []): ErrorReply {
  const error_msg = message.replace(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? '');
  return new ErrorReply(status, code, error_msg, { error_msg, error_code: code });
}

/** Creates an API error by its name in the catalogue; `values` replace `{0}` and `{1}`. */
export function apiError(name: ApiErrorName, ...values: string[]): ErrorReply {
  return replyOf(apiErrors[name], values);
}

/** Returns the error for a request that is rejected before anything was done: 503, and the caller may try again. */
export function systemBusyNow(): ErrorReply {
  return replyOf({ ...localErrors.systemBusy, status: 503 });
}

/** Bad credentials, a missing, unknown or expired bearer token (§4.1, §5.3), or a scope that does not permit the operation. */
export function tokenError(error: TokenErrorName): ErrorReply {
  const error_description = tokenErrors[error];
  const status = error === 'insufficient_scope' ? 403 : 400;
  return new ErrorReply(status, error, error_description, { error, error_description });
}
