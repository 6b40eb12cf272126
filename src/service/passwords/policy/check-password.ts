import type { ErrorName } from '../../../contract/errors.ts';
import { foldCase } from '../../../contract/normal-forms.ts';
import { apiError } from '../../errors/api-error.ts';
import type { TenantDefinition } from '../../tenant/definition.ts';
import { containsUser, type PasswordOwner } from './contains-user.ts';
import { isWeakPassword } from './is-weak-password.ts';

interface Rule {
  rejects(
    password: string,
    owner: PasswordOwner,
    tenant: TenantDefinition,
  ): boolean | string[] | Promise<boolean>;
  name: ErrorName;
}

/**
 * The rules for a plain password (§7.3), in the order in which their errors are thrown (decision 36). A rule that returns texts
 * rejects the password; the texts are the values of its message.
 */
const rules: readonly Rule[] = [
  {
    name: 'passwordLength',
    rejects: (password, _owner, { password: { min_length, max_length } }) => {
      // A character has at most two code units: a password of megabytes need not be split into characters.
      const length = password.length > 2 * max_length ? password.length : [...password].length;
      return length < min_length || length > max_length ? [String(min_length), String(max_length)] : false;
    },
  },
  {
    name: 'passwordComplexity',
    rejects: (password, _owner, { password: { min_character_classes } }) => {
      const fault = complexityFault(password, min_character_classes);
      return fault === undefined ? false : [fault];
    },
  },
  {
    name: 'passwordRepeats',
    rejects: (password, _owner, { password: { max_repeats } }) =>
      longestRun(password) > max_repeats ? [String(max_repeats)] : false,
  },
  {
    name: 'passwordReversedUserName',
    rejects: (password, { user_name }, { password: { forbid_reversed_user_name } }) =>
      forbid_reversed_user_name &&
      user_name !== undefined &&
      foldCase(password) === [...foldCase(user_name)].reverse().join(''),
  },
  {
    name: 'passwordContainsUser',
    rejects: (password, owner, tenant) =>
      tenant.password.forbid_user_information &&
      containsUser(password, owner, tenant.mobile.default_area_code),
  },
  {
    name: 'passwordWeak',
    rejects: (password, _owner, { password: { forbid_weak } }) => forbid_weak && isWeakPassword(password),
  },
];

/**
 * Checks a new plain password against the tenant's rules and the attributes of its owner. Throws the error of the first rule
 * that rejects it: `passwordLength`, `passwordComplexity`, `passwordRepeats`, `passwordReversedUserName`,
 * `passwordContainsUser` or `passwordWeak`.
 */
export async function checkPasswordPolicy(
  password: string,
  owner: PasswordOwner,
  tenant: TenantDefinition,
): Promise<void> {
  for (const { rejects, name } of rules) {
    const result = await rejects(password, owner, tenant);
    if (result !== false) throw apiError(name, ...(result === true ? [] : result));
  }
}

/** Returns the length of the longest run of equal characters. */
function longestRun(text: string): number {
  let [longest, run, last] = [0, 0, ''];
  for (const character of text) {
    run = character === last ? run + 1 : 1;
    longest = Math.max(longest, run);
    last = character;
  }
  return longest;
}

/** The four classes of decision 36; a special character is any other visible ASCII character, so a blank is in no class. */
const classes = {
  digits: /\d/,
  'lower-case letters': /[a-z]/,
  'upper-case letters': /[A-Z]/,
  'special characters': /[!-/:-@[-`{-~]/,
};

const names = Object.keys(classes);
const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Returns the value `{0}` of `passwordComplexity`, which says what a password needs; `undefined` if it is complex enough. */
function complexityFault(password: string, minClasses: number): string | undefined {
  if (!/^[!-~]*$/.test(password)) return `use only ${listed}`;
  const used = Object.values(classes).filter((shape) => shape.test(password)).length;
  if (used >= minClasses) return undefined;
  return minClasses >= names.length ? `use ${listed}` : `use at least ${minClasses} of ${listed}`;
}
