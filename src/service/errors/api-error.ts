import {
  type ApiErrorName,
  apiErrors,
  type ErrorEntry,
  localErrors,
  type TokenErrorName,
  tokenErrors,
} from '../../contract/errors.ts';

/** An API error of the catalogue, thrown by a rule; only the error handler turns it into a reply (§7.1). */
export class ApiErrorReply extends Error {
  override readonly name = 'ApiErrorReply';
  readonly status: number;
  readonly body: { error_msg: string; error_code: string };

  constructor(entry: ErrorEntry, values: string[]) {
    const message = entry.message.replace(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? '');
    super(message);
    this.status = entry.status;
    this.body = { error_msg: message, error_code: entry.code };
  }
}

/** Creates an API error by its name in the catalogue; `values` replace `{0}` and `{1}`. */
export function apiError(name: ApiErrorName, ...values: string[]): ApiErrorReply {
  return new ApiErrorReply(apiErrors[name], values);
}

/** Returns the error for a request that is rejected before anything was done: 503, and the caller may try again. */
export function systemBusyNow(): ApiErrorReply {
  return new ApiErrorReply({ ...localErrors.systemBusy, status: 503 }, []);
}

/** Bad credentials, a missing, unknown or expired bearer token (§4.1, §5.3), or a scope that does not permit the operation. */
export class TokenErrorReply extends Error {
  override readonly name = 'TokenErrorReply';
  readonly status: number;
  readonly body: { error: TokenErrorName; error_description: string };

  constructor(error: TokenErrorName) {
    super(tokenErrors[error]);
    this.status = error === 'insufficient_scope' ? 403 : 400;
    this.body = { error, error_description: tokenErrors[error] };
  }
}
