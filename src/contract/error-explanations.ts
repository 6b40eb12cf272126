import type { ErrorName } from './errors.ts';

const final = (cause: string, remedy: string): Explanation => ({ cause, remedy, retryable: false });

const empty = (what: string, column: string) =>
  final(
    `The tenant requires ${what}, and it was left out or is an empty text; on an update it was to be cleared.`,
    `Give ${column} a value, or have the tenant's attribute definition no longer require it.`,
  );

const invalid = (what: string, column: string, rule: string) =>
  final(
    `${what} breaks a rule of the tenant's attribute definition. Unless the definition says otherwise: ${rule}.`,
    `Correct ${column} at its source; the tenant's administrator knows the exact rule.`,
  );

const taken = (what: string, sameness: string, find: string) =>
  final(
    `Another user of the tenant, or an earlier row of the same file, has this ${what}. ${sameness}`,
    `${find}, then change one of the two, or update that user in place of adding one.`,
  );

const password = (cause: string, remedy: string) =>
  final(`${cause} Only plain passwords are checked: that of a hash cannot be seen.`, remedy);

const upTo = (most: number) => `at most ${most} characters, none of them a control character`;

/** Why each API error of the specification happens, and what to do about it (§7.2, §7.3). */
export const errorExplanations: Record<ErrorName, Explanation> = {
  userNotFound: final(
    'No user of this tenant has the user id, user name, e-mail address, mobile number or external ID asked for.',
    'Check the spelling and the tenant (tenant-users status); look for the user in tenant-users list.',
  ),
  userNameEmpty: empty('a user name', 'user_name'),
  nameEmpty: empty('a full name', 'name'),
  mobileEmpty: empty('a mobile number', 'mobile'),
  emailEmpty: empty('an e-mail address', 'email'),
  passwordEmpty: final(
    'The tenant requires a password: pwd is missing or empty, or hash-pwd lacks its algorithm or its value.',
    'Give a password; for an import fill both the algorithm and the hash.',
  ),
  genderEmpty: empty('a gender', 'attr_gender'),
  birthdayEmpty: empty('a birthday', 'attr_birthday'),
  nickNameEmpty: empty('a nickname', 'attr_nick_name'),
  mailingAddressEmpty: empty('a mailing address', 'mailing_address'),
  zipCodeEmpty: empty('a postal code', 'zip_code'),
  firstNameEmpty: empty('a first name', 'first_name'),
  middleNameEmpty: empty('a middle name', 'middle_name'),
  lastNameEmpty: empty('a last name', 'last_name'),
  industryEmpty: empty('an industry', 'industry'),
  externalIdEmpty: empty('an external ID', 'external_id'),
  extensionEmpty: empty('the extension attribute that the message names', 'extension.<key>'),
  userNameInvalid: invalid('The user name', 'user_name', '1 to 100 characters without blanks'),
  nameInvalid: invalid('The full name', 'name', upTo(100)),
  mobileInvalid: invalid(
    'The mobile number',
    'mobile',
    'the number, or area code, hyphen and number (86-15200000000), as its area writes it; no area code means that of the tenant',
  ),
  emailInvalid: invalid(
    'The e-mail address',
    'email',
    'something@something without blanks, at most 254 characters',
  ),
  genderInvalid: invalid(
    'The gender',
    'attr_gender',
    'unknow (written so), male or female, in small letters',
  ),
  birthdayInvalid: invalid('The birthday', 'attr_birthday', 'a day that exists, as yyyy-mm-dd'),
  nickNameInvalid: invalid('The nickname', 'attr_nick_name', upTo(100)),
  mailingAddressInvalid: invalid(
    'The mailing address',
    'mailing_address',
    'at most 255 characters; of control characters only line breaks and tabs',
  ),
  zipCodeInvalid: invalid('The postal code', 'zip_code', upTo(20)),
  firstNameInvalid: invalid('The first name', 'first_name', upTo(100)),
  middleNameInvalid: invalid('The middle name', 'middle_name', upTo(100)),
  lastNameInvalid: invalid('The last name', 'last_name', upTo(100)),
  industryInvalid: invalid('The industry', 'industry', upTo(100)),
  externalIdInvalid: invalid('The external ID', 'external_id', upTo(255)),
  extensionInvalid: final(
    'The tenant defines no extension attribute of this key, or its value is no text, or does not fit its type or its rule. A date is written yyyy-mm-dd.',
    'Compare key and value with the extension attributes of the tenant, or have the attribute defined.',
  ),
  areaCodeNotPermitted: final(
    "The number is of an international area that is not in the tenant's list. A number without an area code counts as of the tenant's own area.",
    'Correct the area code, or have it permitted in the tenant.',
  ),
  userNameTaken: taken(
    'user name',
    'Capital and small letters count as the same on the local service; names of disabled users stay taken.',
    'Find the user with tenant-users get --by-user-name NAME',
  ),
  mobileTaken: taken(
    'mobile number',
    'On the local service +86-15200000000, 86-15200000000 and 15200000000 are one number.',
    'Find the user with tenant-users get --by-mobile NUMBER',
  ),
  emailTaken: taken(
    'e-mail address',
    'Capital and small letters count as the same on the local service.',
    'Find the user with tenant-users get --by-email ADDRESS',
  ),
  extensionTaken: taken(
    'value of an extension attribute that the tenant keeps unique',
    'The message names the attribute.',
    'Find the user, for example in tenant-users list -o csv',
  ),
  algorithmNotSupported: final(
    'The algorithm of hash-pwd is none of the four that can be imported. The names are case-sensitive.',
    'Write md5, bcrypt, md5_sha256 or hmacsha256_base64_key. Hashes of another kind cannot be imported: such users need a new password.',
  ),
  hashKeyEmpty: final(
    'The algorithm hmacsha256_base64_key needs the key that the older system made its hashes with.',
    'Fill the key, base64-encoded: no password would match without it.',
  ),
  passwordUsedBefore: password(
    'The password is one of the last ones of this user.',
    'Choose a password that the user has not had.',
  ),
  passwordReversedUserName: password(
    'The password is the user name read backwards.',
    'Choose a password that has nothing to do with the user.',
  ),
  passwordContainsUser: password(
    'The password contains the user name, the mobile number, the part of the e-mail address before the @, or the name in Pinyin.',
    'Choose a password that has nothing to do with the user.',
  ),
  passwordComplexity: password(
    'The password mixes too few kinds of characters: digits, small letters, capital letters and special characters. The message says what is missing.',
    'Choose a password with more kinds of characters.',
  ),
  passwordWeak: password(
    'The password is among those that are tried first when passwords are guessed.',
    'Choose a password that is in no list; a generated one is best.',
  ),
  passwordRepeats: password(
    'The password repeats a character more often than the tenant allows; the message tells the number.',
    'Choose a password with fewer repeats.',
  ),
  passwordLength: password(
    'The password is shorter or longer than the tenant allows; the message tells the bounds.',
    'Choose a password within the bounds.',
  ),
  pageInvalid: final(
    'The page cannot be shown: limit must be a whole number from 10 to 100, offset a page number from 0.',
    'Correct --limit and --offset; an offset counts pages, not users.',
  ),
};

/** What a person needs to know of a code: whole sentences, true of every tenant unless they say otherwise. */
export interface Explanation {
  /** Why it happens. */
  cause: string;
  /** What to do next; also the hint of an error, and that of a row in an import's report. */
  remedy: string;
  /** May the same request succeed later without a change? */
  retryable: boolean;
}
