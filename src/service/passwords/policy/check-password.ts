import { foldCase } from '../../../contract/normal-forms.ts';
import { apiError } from '../../errors/api-error.ts';
import type { TenantDefinition } from '../../tenant/definition.ts';
import { containsUser, type PasswordOwner } from './contains-user.ts';
import { isWeakPassword } from './is-weak-password.ts';

/**
 * Checks a new plain password against the tenant's rules (§7.3) and the attributes of its owner, in the order of decision 36. Throws
 * `passwordLength`, `passwordComplexity`, `passwordRepeats`, `passwordReversedUserName`, `passwordContainsUser` or `passwordWeak`.
 */
export async function checkPasswordPolicy(
  password: string,
  owner: PasswordOwner,
  { password: rule, mobile }: TenantDefinition,
): Promise<void> {
  const { min_length: least, max_length: most, max_repeats: repeats } = rule;
  // A character has at most two code units: a password of megabytes need not be split into characters.
  const length = password.length > 2 * most ? password.length : [...password].length;
  if (length < least || length > most) throw apiError('passwordLength', String(least), String(most));
  const fault = complexityFault(password, rule.min_character_classes);
  if (fault !== undefined) throw apiError('passwordComplexity', fault);
  if (longestRun(password) > repeats) throw apiError('passwordRepeats', String(repeats));
  const reversed = owner.user_name && [...foldCase(owner.user_name)].reverse().join('');
  if (rule.forbid_reversed_user_name && foldCase(password) === reversed) {
    throw apiError('passwordReversedUserName');
  }
  if (rule.forbid_user_information && (await containsUser(password, owner, mobile.default_area_code))) {
    throw apiError('passwordContainsUser');
  }
  if (rule.forbid_weak && (await isWeakPassword(password))) throw apiError('passwordWeak');
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
