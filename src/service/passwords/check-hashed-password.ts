import { isHashAlgorithm } from '../../contract/attributes.ts';
import { isRecord } from '../../contract/is-record.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import { readBcrypt } from '../../text/hash-forms.ts';
import { apiError } from '../errors/api-error.ts';
import type { PasswordRule } from '../tenant/definition.ts';
import { isEmpty } from '../validation/check-values.ts';

/**
 * Reads `hash-pwd` (§2.3). Returns `undefined` if it, its algorithm or its value is empty: the user then has no password (decision
 * 29). An unknown algorithm is an error even without a value (§7.2, rule 4). Does not check the form of the value (decision 30).
 * Throws `requestInvalid` if it is not an object of texts.
 */
export function readHashedPassword(given: unknown) {
  if (isEmpty(given)) return undefined;
  if (!isRecord(given)) throw apiError('requestInvalid', 'hash-pwd must be an object');
  const algorithm = readHashPart(given, 'algorithm');
  const value = readHashPart(given, 'value');
  const key = readHashPart(given, 'key');
  if (!algorithm || (!value && isHashAlgorithm(algorithm))) return undefined;
  return { algorithm, value, key };
}

/** Maximum characters of a hash and of its key: anything longer is not a hash, but would be stored (decision 30). */
const longest = { value: 1024, key: 4096 };

/**
 * Throws `algorithmNotSupported` or `hashKeyEmpty` (§7.2, rule 4), and `requestInvalid` if a field is too long, or if the bcrypt
 * cost is above the tenant's limit (decision 30).
 */
export function checkHashedPassword(
  hash: { algorithm: string; value: string; key: string },
  { max_bcrypt_cost: mostCost }: PasswordRule,
): HashedPassword {
  const { algorithm, value, key } = hash;
  if (!isHashAlgorithm(algorithm)) throw apiError('algorithmNotSupported');
  for (const name of ['value', 'key'] as const) {
    if (hash[name].length > longest[name])
      throw apiError('requestInvalid', `hash-pwd.${name} has more than ${longest[name]} characters`);
  }
  const cost = algorithm === 'bcrypt' ? readBcrypt(value)?.cost : undefined;
  if (cost !== undefined && cost > mostCost)
    throw apiError('requestInvalid', `hash-pwd.value has the bcrypt cost ${cost}; at most ${mostCost}`);
  if (algorithm !== 'hmacsha256_base64_key') return { algorithm, value };
  if (key === '') throw apiError('hashKeyEmpty');
  return { algorithm, value, key };
}

function readHashPart(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  if (isEmpty(value)) return '';
  if (typeof value !== 'string') throw apiError('requestInvalid', `hash-pwd.${name} must be a text`);
  return value;
}
