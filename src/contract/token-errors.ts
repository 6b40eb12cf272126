/** Values of `error` in a token endpoint's refusal, and of every endpoint for a bad bearer (§4.1, §5.3, §7.1). */
export const tokenErrors = {
  invalid_request: 'Missing or malformed parameter',
  invalid_client: 'Bad client credentials',
  unsupported_grant_type: 'Unsupported grant type',
  invalid_token: 'Invalid access',
} as const;

export type TokenErrorName = keyof typeof tokenErrors;
