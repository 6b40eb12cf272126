import { expect, test } from 'vitest';
import type { ErrorName } from '../../../../src/contract/errors.ts';
import { checkPasswordPolicy } from '../../../../src/service/passwords/policy/check-password.ts';
import type { PasswordOwner } from '../../../../src/service/passwords/policy/contains-user.ts';
import { defaultTenant } from '../../../../src/service/tenant/default-tenant.ts';
import type { PasswordRule } from '../../../../src/service/tenant/definition.ts';
import { errorReply } from '../../api-errors.ts';

/** The body of the rejection; `undefined` if the password is accepted. */
async function verdict(password: string, owner: PasswordOwner = {}, rule: Partial<PasswordRule> = {}) {
  const tenant = { ...defaultTenant, password: { ...defaultTenant.password, ...rule } };
  try {
    await checkPasswordPolicy(password, owner, tenant);
    return undefined;
  } catch (error) {
    return (error as { body?: object }).body ?? error;
  }
}

type Row = [password: string, error: [ErrorName, ...string[]] | undefined, rule?: Partial<PasswordRule>];

const classes = 'digits, lower-case letters, upper-case letters and special characters';
const tooFew: [ErrorName, string] = ['passwordComplexity', `use at least 3 of ${classes}`];
const foreign: [ErrorName, string] = ['passwordComplexity', `use only ${classes}`];
const weak: [ErrorName] = ['passwordWeak'];

const rows: Row[] = [
  ['Gf4-kup', ['passwordLength', '8', '18']],
  ['Gf4-kupz', undefined],
  ['Gf4-kupzQw9!mTr2xL', undefined],
  ['Gf4-kupzQw9!mTr2xLa', ['passwordLength', '8', '18']],
  ['Gf4-ku', undefined, { min_length: 6, max_length: 6 }],
  ['Gf4-ku7', ['passwordLength', '6', '6'], { min_length: 6, max_length: 6 }],
  ['Gf4-🔑🔑🔑', ['passwordLength', '8', '18']],
  ['🔑'.repeat(18), foreign],
  ['🔑'.repeat(19), ['passwordLength', '8', '18']],

  ['gfkupzqw', tooFew],
  ['gfkupzq4', tooFew],
  ['GFKUPZQ4', tooFew],
  ['4826-1937', tooFew],
  ['gfkupZQ4', undefined],
  ['gfkup-q4', undefined],
  ['GFKUP-Q4', undefined],
  ['gfkup-ZQ', undefined],
  ['gfkupzq4', undefined, { min_character_classes: 2 }],
  ['gfkupzqw', undefined, { min_character_classes: 1 }],
  ['gfkup-q4', ['passwordComplexity', `use ${classes}`], { min_character_classes: 4 }],
  ['gfkup-Q4', undefined, { min_character_classes: 4 }],
  ['Gf4-kup z', foreign],
  ['Gf4-kupñz', foreign],
  ['Gf4-kup密码', foreign],
  ['Gf4-kup\tz', foreign],
  ['Gf4-kup🔑', foreign],
  ['gf4kup!"#$%&\'()*+,', undefined],
  ['gf4kup-./:;<=>?@[\\', undefined],
  ['gf4kup]^_`{|}~', undefined],

  ['Gf4-kaaaup', undefined],
  ['Gf4-kaaaaup', ['passwordRepeats', '3']],
  ['Gf4-kaaAaup', undefined],
  ['aaaa-Gf4', ['passwordRepeats', '3']],
  ['Gf4-kup!!!!', ['passwordRepeats', '3']],
  ['Gf4-kaaup', ['passwordRepeats', '1'], { max_repeats: 1 }],
  ['Gf4-kaaaaup', undefined, { max_repeats: 4 }],

  ['P@ssw0rd', weak],
  ['P@$$w0rd!', weak],
  ['Password1', weak],
  ['Password1!', weak],
  ['!Password-2026!', weak],
  ['1qaz@WSX', weak],
  ['Abcd1234', weak],
  ['Abc@1234', weak],
  ['Admin@123', weak],
  ['1drowssaP!', weak],
  ['Iloveyou520!', weak],
  ['qwe123!@#', undefined],
  ['Tr0ub4dor&3', undefined],
  ['P@ssw0rd', undefined, { forbid_weak: false }],
  ['12345678', weak, { min_character_classes: 1 }],
];

test.each(rows)('%j: %j', async (password, error, rule = {}) => {
  expect(await verdict(password, {}, rule)).toEqual(error && errorReply(...error).body);
});

const annabel = { user_name: 'annabel-7Q' };

test.each<[string, PasswordOwner, ErrorName | undefined, Partial<PasswordRule>?]>([
  ['Q7-lebanna', annabel, 'passwordReversedUserName'],
  ['q7-LEBANNA', annabel, 'passwordReversedUserName'],
  ['Q7-lebannax', annabel, undefined],
  ['Q7-lebanna', annabel, undefined, { forbid_reversed_user_name: false }],
  ['Q7-lebanna', { user_name: 'ａｎｎａｂｅｌ-7Q' }, 'passwordReversedUserName'],
  // A palindrome breaks both rules; the error about the reversed name comes first.
  ['Abc-1-cba', { user_name: 'abc-1-cba' }, 'passwordReversedUserName'],
  ['Abc-1-cba', { user_name: 'abc-1-cba' }, 'passwordContainsUser', { forbid_reversed_user_name: false }],
])('%j of %j: %j', async (password, owner, error, rule = {}) => {
  expect(await verdict(password, owner, rule)).toEqual(error && errorReply(error).body);
});

/** A password with fewer faults in each step, which fixes the fault that was returned before. */
const ordered: [string, ErrorName | undefined][] = [
  ['zzzz', 'passwordLength'],
  ['1drowssapzzzz', 'passwordComplexity'],
  ['1drowssaPzzzz', 'passwordRepeats'],
  ['1drowssaP', 'passwordReversedUserName'],
  ['Password1', 'passwordContainsUser'],
  ['Passw0rd', 'passwordWeak'],
  ['Passw-0-rd-Q', undefined],
];

test.each(ordered)('of several faults the first in order is returned: %j, %j', async (password, told) => {
  const reply = await verdict(password, { user_name: 'password1' });
  expect(reply).toEqual(told && expect.objectContaining({ error_code: errorReply(told).body.error_code }));
});
