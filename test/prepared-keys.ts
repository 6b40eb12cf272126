import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { keyPairOf } from '../src/service/identity/key-pair.ts';

const files = ['one', 'other', 'third'].map(
  (name) => new URL(`../fixtures/keys/test-only-${name}.pem`, import.meta.url),
);
/** Only the files that were needed: to read one takes as long as a test. */
const pairs = new Map<number, ReturnType<typeof keyPairOf>>();
let made = 0;

/**
 * A key pair for a service of the tests, since making one takes half a second. It differs from those of the last two
 * calls.
 */
export function preparedKeyPair() {
  made += 1;
  const number = made % files.length;
  const pair = pairs.get(number) ?? keyPairOf(createPrivateKey(readFileSync(files[number] ?? '')));
  pairs.set(number, pair);
  return pair;
}
