import { type HashAlgorithm, hashAlgorithms } from '../../contract/attributes.ts';
import { isRecord } from '../../contract/is-record.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import { apiError } from '../errors/api-error.ts';
import { isEmpty } from '../validation/check-values.ts';

/**
 * Reads `hash-pwd` (§2.3). `undefined` when it, its algorithm or its value is empty: then the user has no
 * password (decision 29). The form of the value is not checked (decision 30).
 * Throws `requestInvalid` when it is not an object of texts.
 */
export function readHashedPassword(
  given: unknown,
): { algorithm: string; value: string; key: string } | undefined {
  if (isEmpty(given)) return undefined;
  if (!isRecord(given)) throw apiError('requestInvalid', 'hash-pwd must be an object');
  const [algorithm, value, key] = ['algorithm', 'value', 'key'].map((name) => readTextBody(given, name));
  return algorithm && value ? { algorithm, value, key: key ?? '' } : undefined;
}

/** Throws `algorithmNotSupported` or `hashKeyEmpty` (§7.2, rule 4). */
export function checkHashedPassword(hash: { algorithm: string; value: string; key: string }): HashedPassword {
  const { algorithm, value, key } = hash;
  if (!isAlgorithm(algorithm)) throw apiError('algorithmNotSupported');
  if (algorithm !== 'hmacsha256_base64_key') return { algorithm, value };
  if (key === '') throw apiError('hashKeyEmpty');
  return { algorithm, value, key };
}

function isAlgorithm(name: string): name is HashAlgorithm {
  return (hashAlgorithms as readonly string[]).includes(name);
}

function readTextBody(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  if (isEmpty(value)) return '';
  if (typeof value !== 'string') throw apiError('requestInvalid', `hash-pwd.${name} must be a text`);
  return value;
}
