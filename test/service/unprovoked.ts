import type { ErrorName } from '../../src/contract/errors.ts';
import type { writeCalls } from './rules/write-calls.ts';

/** A refusal which the specification lists for operations that cannot be provoked to it. */
interface Unprovoked {
  error: ErrorName;
  on: readonly (keyof typeof writeCalls)[];
  reason: string;
  /** A body that comes as near as may be: the day it is refused with the code, the entry has to go. */
  attempt?: object;
}

const create = ['createUser'] as const;
const creates = ['createUser', 'importHashedUser'] as const;
const writes = [...creates, 'updateUser'] as const;

const definition = 'needs a tenant definition';

/** Refusals that the next issue makes possible; each takes its entry from here to the provocations. */
export const notYetProvoked: readonly Unprovoked[] = [
  { error: 'userNameEmpty', on: creates, reason: definition, attempt: { user_name: '' } },
  { error: 'nameEmpty', on: writes, reason: definition, attempt: { name: '' } },
  { error: 'mobileEmpty', on: writes, reason: definition, attempt: { mobile: '' } },
  { error: 'emailEmpty', on: writes, reason: definition, attempt: { email: '' } },
  { error: 'passwordEmpty', on: creates, reason: definition, attempt: { pwd: '', 'hash-pwd': {} } },
  { error: 'genderEmpty', on: writes, reason: definition, attempt: { attr_gender: '' } },
  { error: 'birthdayEmpty', on: writes, reason: definition, attempt: { attr_birthday: '' } },
  { error: 'nickNameEmpty', on: writes, reason: definition, attempt: { attr_nick_name: '' } },
  { error: 'mailingAddressEmpty', on: writes, reason: definition, attempt: { mailing_address: '' } },
  { error: 'zipCodeEmpty', on: writes, reason: definition, attempt: { zip_code: '' } },
  { error: 'firstNameEmpty', on: writes, reason: definition, attempt: { first_name: '' } },
  { error: 'middleNameEmpty', on: writes, reason: definition, attempt: { middle_name: '' } },
  { error: 'lastNameEmpty', on: writes, reason: definition, attempt: { last_name: '' } },
  { error: 'industryEmpty', on: writes, reason: definition, attempt: { industry: '' } },
  { error: 'externalIdEmpty', on: creates, reason: definition, attempt: { external_id: '' } },
  { error: 'extensionEmpty', on: writes, reason: definition, attempt: { extension: { age: '' } } },
  { error: 'extensionTaken', on: writes, reason: definition, attempt: { extension: { age: '42' } } },
];

const noLookUp = 'a create looks no user up';
const noCheck = 'a hash cannot be held against a policy (decision 36)';
const imports = ['importHashedUser'] as const;

/** Refusals that the specification lists, but nothing can provoke. */
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
