/** What stands instead of a secret, everywhere. */
export const hidden = '[hidden]';

/** A text without these secrets, wherever they stand in it as they are. */
export function hideSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets.reduce<string>((safe, secret) => (secret ? safe.replaceAll(secret, hidden) : safe), text);
}

/** A text without the credentials of the address in it. */
export function hideCredentials(address: string): string {
  return address.replace(/\/\/[^/?#]*@/, `//${hidden}@`);
}
