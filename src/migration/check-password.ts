import type { Columns, Draft } from './compile-columns.ts';
import type { Fault } from './finding-table.ts';
import { hashShapes, isHashAlgorithm } from './hash-shapes.ts';

const wrapper = '{bcrypt}';

/**
 * Moves the password of a draft into its user, or adds what is wrong with it to the faults. A user never gets
 * no password by accident: both cells must be empty, and `allowPasswordless` set.
 */
export function checkPassword(
  draft: Draft,
  names: Columns['passwordNames'],
  allowPasswordless: boolean,
  faults: Fault[],
): void {
  const { algorithm, value, key } = draft.password;
  if (algorithm === '' && value === '' && allowPasswordless) return;
  if (algorithm === '') faults.push({ code: 'ALGORITHM_MISSING', column: names.algorithm });
  if (value === '') faults.push({ code: 'HASH_MISSING', column: names.value });
  if (algorithm === '') return;
  if (!isHashAlgorithm(algorithm)) {
    faults.push({ code: 'ALGORITHM_UNKNOWN', column: names.algorithm });
    return;
  }
  const keyed = algorithm === 'hmacsha256_base64_key';
  if (keyed && key === '') faults.push({ code: 'KEY_MISSING', column: names.key });
  if (value === '') return;
  if (!hashShapes[algorithm].test(value)) {
    faults.push({ code: 'HASH_SHAPE', column: names.value });
    return;
  }
  const sent = value.startsWith(wrapper) ? value.slice(wrapper.length) : value;
  draft.user['hash-pwd'] = keyed ? { algorithm, value: sent, key } : { algorithm, value: sent };
}
