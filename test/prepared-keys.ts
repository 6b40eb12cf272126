import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { keyPairOf } from '../src/service/identity/key-pair.ts';

const files = ['one', 'other', 'third'].map(
  (name) => new URL(`../fixtures/keys/test-only-${name}.pem`, import.meta.url),
);
let made = 0;

/** A key pair for a service of the tests, since making one takes half a second: another than the last two calls gave. */
export function preparedKeyPair() {
  made += 1;
  return keyPairOf(createPrivateKey(readFileSync(files[made % files.length] ?? '')));
}
