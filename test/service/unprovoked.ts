import type { ErrorName } from '../../src/contract/errors.ts';
import type { writeCalls } from './validation/write-calls.ts';

/** An API error that the specification lists for operations which cannot be made to return it. */
interface Unprovoked {
  error: ErrorName;
  on: readonly (keyof typeof writeCalls)[];
  reason: string;
}

const create = ['createUser'] as const;
const creates = ['createUser', 'importHashedUser'] as const;

const noLookUp = 'a create looks no user up';
const noCheck = 'a hash cannot be held against a policy (decision 36)';
const imports = ['importHashedUser'] as const;

/** API errors that the specification lists, but no call can provoke. */
export const neverProvoked: readonly Unprovoked[] = [
  { error: 'userNotFound', on: creates, reason: noLookUp },
  { error: 'passwordUsedBefore', on: create, reason: 'a new user has no history (decision 38)' },
  { error: 'passwordUsedBefore', on: imports, reason: noCheck },
  { error: 'passwordReversedUserName', on: imports, reason: noCheck },
  { error: 'passwordContainsUser', on: imports, reason: noCheck },
  { error: 'passwordComplexity', on: imports, reason: noCheck },
  { error: 'passwordWeak', on: imports, reason: noCheck },
  { error: 'passwordRepeats', on: imports, reason: noCheck },
  { error: 'passwordLength', on: imports, reason: noCheck },
];
