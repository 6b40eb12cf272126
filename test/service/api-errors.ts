import { type ApiErrorName, apiErrors } from '../../src/contract/errors.ts';

/** An API error of the catalogue as the client throws it; `values` fill `{0}` and `{1}`. */
export function apiErrorOf(name: ApiErrorName, ...values: string[]) {
  const { error_code: code, error_msg: message } = errorReply(name, ...values).body;
  return { name: 'ApiError', code, message };
}

/** The reply with an API error of the catalogue (§7.1); `values` fill `{0}` and `{1}`. */
export function errorReply(name: ApiErrorName, ...values: string[]) {
  const { code, message, status } = apiErrors[name];
  const error_msg = values.reduce((text, value, index) => text.replace(`{${index}}`, value), message);
  return { status, body: { error_msg, error_code: code } };
}

/** The answer to a bearer token that is missing, unknown or expired (decision 3). */
export const invalidToken = {
  status: 400,
  body: { error: 'invalid_token', error_description: 'Invalid access' },
};
