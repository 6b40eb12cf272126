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
