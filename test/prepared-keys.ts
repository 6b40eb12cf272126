import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { keyPairOf } from '../src/service/identity/key-pair.ts';

const files = ['one', 'other'].map(
  (name) => new URL(`../fixtures/keys/test-only-${name}.pem`, import.meta.url),
);
let made = 0;

/** A key pair for a service of the tests, since making one takes half a second: each call gives the one of two that the last did not. */
export function preparedKeyPair() {
  made += 1;
  const [one, other] = files;
  return keyPairOf(createPrivateKey(readFileSync((made % 2 === 0 ? one : other) ?? '')));
}
