/** Placeholder for every redacted secret. */
export const hidden = '[hidden]';

/** Redacts these secrets wherever they occur verbatim in a text. */
export function hideSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets.reduce<string>((safe, secret) => (secret ? safe.replaceAll(secret, hidden) : safe), text);
}

/** Redacts the credentials in an address. */
export function hideCredentials(address: string): string {
  return address.replace(/\/\/[^/?#]*@/, `//${hidden}@`);
}

/** Fields of requests and answers that contain a secret. */
const secretFields: ReadonlySet<string> = new Set([
  'client_secret',
  'pwd',
  'password',
  'old_password',
  'new_password',
  'hash-pwd',
  'sso_ticket',
  'session_token',
  'state_token',
  'access_token',
  'id_token',
  'refresh_token',
]);

/** True for the name of a field that contains a secret, in any letter case. */
export function isSecretField(name: string): boolean {
  return secretFields.has(name.toLowerCase());
}
