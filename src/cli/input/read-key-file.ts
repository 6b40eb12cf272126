import { loosePermissions } from '../config/permissions.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { readFileNow } from './read-input.ts';

const bytes = 32;

/**
 * Reads the secret that encrypts the signing keys, from the file of the option or of TENANT_USERS_KEY_FILE; `undefined` if neither
 * is given. Throws a `ConfigurationError` if the file cannot be read, is not a key file, or is exposed to others.
 */
export function readKeyFile(
  { env }: CommandContext,
  file = env.TENANT_USERS_KEY_FILE,
): Uint8Array | undefined {
  if (!file) return undefined;
  const text = readFileNow(file, 'Check --key-file and TENANT_USERS_KEY_FILE.');
  const [loose] = loosePermissions(file);
  if (loose !== undefined) {
    throw new ConfigurationError(
      `the key file is not safe: ${loose}`,
      'Then make a new one if others may have read it.',
    );
  }
  const secret = Buffer.from(text.trim(), 'base64');
  if (secret.length === bytes && secret.toString('base64') === text.trim()) return secret;
  throw new ConfigurationError(
    `${file} is not a key file: that is ${bytes} random bytes in base64`,
    `Make one with: (umask 077; openssl rand -base64 ${bytes} > FILE)`,
  );
}
