import { AdminError } from '../errors/admin-error.ts';
import {
  findKeyFileMark,
  findPlainKeys,
  insertKeyFileMark,
  sealKey,
} from '../storage/access/signing-keys.ts';
import type { Database } from '../storage/engine/database.ts';

/** Converts private keys to their stored form and back. */
export interface KeyCipher {
  seal(tenant: number, kid: string, privateKey: string): Promise<string>;
  open(tenant: number, kid: string, stored: string): Promise<string>;
}

/**
 * Opens the cipher of a database. The first start with a key file encrypts the stored keys; from then on the database requires this
 * key file. Throws `AdminError` if it is missing or a different one.
 */
export async function openKeyCipher(database: Database, secret: Uint8Array | undefined): Promise<KeyCipher> {
  const mark = await findKeyFileMark(database);
  if (!secret) {
    if (mark !== undefined) throw missingKeyFile();
    return plain;
  }
  const cipher = cipherOf(secret);
  // Verifies the key file even before there is any key.
  if (mark !== undefined) await cipher.open(0, markId, mark);
  await encryptStored(database, cipher, mark === undefined);
  return cipher;
}

const markId = 'key-file';

/** Cipher without a key file; `open` meets an encrypted key if a key file was introduced meanwhile. */
const plain: KeyCipher = {
  seal: (_tenant, _kid, privateKey) => Promise.resolve(privateKey),
  async open(_tenant, _kid, stored) {
    if (isSealed(stored)) throw missingKeyFile();
    return stored;
  },
};

/** Encrypts with AES-256-GCM, as compact JWE. The header has tenant and key id, so that one row cannot stand in for another. */
function cipherOf(secret: Uint8Array): KeyCipher {
  return {
    async seal(tenant, kid, privateKey) {
      const { CompactEncrypt } = await import('jose');
      return new CompactEncrypt(Buffer.from(privateKey))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: `${tenant}/${kid}` })
        .encrypt(secret);
    },
    async open(tenant, kid, stored) {
      if (!isSealed(stored)) return stored;
      const { compactDecrypt } = await import('jose');
      const opened = await compactDecrypt(stored, secret, onlyThis).catch(() => undefined);
      if (opened?.protectedHeader.kid !== `${tenant}/${kid}`) {
        throw new AdminError(
          'CONFIGURATION',
          'the key file is not the one with which the signing keys of the database are encrypted',
          'Use that file. If it is lost: stop serve, then run tenant-users keys reset --local DATABASE',
        );
      }
      return Buffer.from(opened.plaintext).toString();
    },
  };
}

/** Whoever can write to the database must not be able to choose other algorithms. */
const onlyThis = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

function isSealed(stored: string): boolean {
  return !stored.startsWith('-----BEGIN');
}

/** Encrypts the keys that are stored unencrypted; starts over if another node was faster. */
async function encryptStored(database: Database, cipher: KeyCipher, isFirst: boolean): Promise<void> {
  const keys = await findPlainKeys(database);
  if (keys.length === 0 && !isFirst) return;
  const sealed = keys.map(async (key) =>
    sealKey(key, await cipher.seal(key.tenant, key.kid, key.private_key)),
  );
  const mark = isFirst ? [insertKeyFileMark(await cipher.seal(0, markId, 'PRIVATE'))] : [];
  if (await database.commit([...mark, ...(await Promise.all(sealed))])) return;
  const now = await findKeyFileMark(database);
  if (now !== undefined) await cipher.open(0, markId, now);
  await encryptStored(database, cipher, now === undefined);
}

function missingKeyFile(): AdminError {
  return new AdminError(
    'CONFIGURATION',
    'the signing keys of the database are encrypted, and no key file is given',
    'Set TENANT_USERS_KEY_FILE to that file. For serve and keys rotate, --key-file FILE does the same; other commands take an HMAC key there.',
  );
}
