import type { ErrorName } from '../../../contract/errors.ts';
import { apiError } from '../../errors/api-error.ts';
import type { TenantDefinition } from '../../tenant/definition.ts';
import { containsUser, type PasswordOwner } from './contains-user.ts';
import { isWeakPassword } from './is-weak-password.ts';

interface Rule {
  refuses(
    password: string,
    owner: PasswordOwner,
    tenant: TenantDefinition,
  ): boolean | string[] | Promise<boolean>;
  name: ErrorName;
}

/**
 * What a plain password must be (§7.3), in the order in which the faults are told (decision 36). A rule that
 * answers texts refuses with them as the values of its message.
 */
const rules: readonly Rule[] = [
  {
    name: 'passwordLength',
    refuses: (password, _owner, { password: { minLength, maxLength } }) => {
      // No more than two units make a character: what has megabytes is not taken apart.
      const length = password.length > 2 * maxLength ? password.length : [...password].length;
      return length < minLength || length > maxLength ? [String(minLength), String(maxLength)] : false;
    },
  },
  {
    name: 'passwordComplexity',
    refuses: (password, _owner, { password: { minCharacterClasses } }) => {
      const fault = complexityFault(password, minCharacterClasses);
      return fault === undefined ? false : [fault];
    },
  },
  {
    name: 'passwordRepeats',
    refuses: (password, _owner, { password: { maxRepeats } }) =>
      longestRun(password) > maxRepeats ? [String(maxRepeats)] : false,
  },
  {
    name: 'passwordReversedUserName',
    refuses: (password, { user_name }, { password: { forbidReversedUserName } }) =>
      forbidReversedUserName &&
      user_name !== undefined &&
      password.toLowerCase() === [...user_name.toLowerCase()].reverse().join(''),
  },
  {
    name: 'passwordContainsUser',
    refuses: (password, owner, tenant) =>
      tenant.password.forbidUserInformation && containsUser(password, owner, tenant.mobile.defaultAreaCode),
  },
  {
    name: 'passwordWeak',
    refuses: (password, _owner, { password: { forbidWeak } }) => forbidWeak && isWeakPassword(password),
  },
];

/**
 * Holds a new plain password against the tenant's rules and what is known of its owner. Throws the first that
 * refuses: `passwordLength`, `passwordComplexity`, `passwordRepeats`, `passwordReversedUserName`,
 * `passwordContainsUser` or `passwordWeak`.
 */
export async function checkPasswordPolicy(
  password: string,
  owner: PasswordOwner,
  tenant: TenantDefinition,
): Promise<void> {
  for (const { refuses, name } of rules) {
    const verdict = await refuses(password, owner, tenant);
    if (verdict !== false) throw apiError(name, ...(verdict === true ? [] : verdict));
  }
}

/** Most equal characters in a row. */
function longestRun(text: string): number {
  let [longest, run, last] = [0, 0, ''];
  for (const character of text) {
    run = character === last ? run + 1 : 1;
    longest = Math.max(longest, run);
    last = character;
  }
  return longest;
}

/** The four classes of decision 36; a special is any other visible ASCII character, so a blank is none. */
const classes = {
  digits: /\d/,
  'lower-case letters': /[a-z]/,
  'upper-case letters': /[A-Z]/,
  'special characters': /[!-/:-@[-`{-~]/,
};

const names = Object.keys(classes);
const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** What `passwordComplexity` tells as `{0}`: how a password must be mended; `undefined` when it is complex enough. */
function complexityFault(password: string, minClasses: number): string | undefined {
  if (!/^[!-~]*$/.test(password)) return `use only ${listed}`;
  const used = Object.values(classes).filter((shape) => shape.test(password)).length;
  if (used >= minClasses) return undefined;
  return minClasses >= names.length ? `use ${listed}` : `use at least ${minClasses} of ${listed}`;
}
