import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a new key pair into a directory. Returns the paths of the private key, which signs, and of the public one. */
export async function writeKeys(directory: string): Promise<[own: string, approver: string]> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [own, approver] = [join(directory, 'key.pem'), join(directory, 'key.pub')] as const;
  await writeFile(own, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(approver, publicKey.export({ type: 'spki', format: 'pem' }));
  return [own, approver];
}
