import type { ErrorName } from './errors.ts';

/** Kind of value; determines the default validation rules (decision 25a). */
export type AttributeKind = 'text' | 'lines' | 'userName' | 'email' | 'mobile' | 'gender' | 'date' | 'image';

/** One attribute of a user (§2.2): its limits, its API errors, and whether Modify accepts it. */
export interface Attribute {
  kind: AttributeKind;
  /** Name shown to people. */
  label: string;
  /** Maximum length in characters, unless the tenant definition sets another. */
  maxLength?: number;
  /** API errors for an empty and for an invalid value; the specification has none for `head_img`. */
  empty?: ErrorName;
  invalid?: ErrorName;
  /** API error for a value that another user has; set only for attributes that are unique within a tenant. */
  taken?: ErrorName;
  /** True if Modify (§4.10) accepts the attribute. */
  updatable: boolean;
}

/** All attributes that a caller can set, in the order in which the specification lists their error codes. */
export const attributes = {
  user_name: {
    kind: 'userName',
    label: 'user name',
    maxLength: 100,
    empty: 'userNameEmpty',
    invalid: 'userNameInvalid',
    taken: 'userNameTaken',
    updatable: true,
  },
  name: {
    kind: 'text',
    label: 'full name',
    maxLength: 100,
    empty: 'nameEmpty',
    invalid: 'nameInvalid',
    updatable: true,
  },
  mobile: {
    kind: 'mobile',
    label: 'mobile number, <area code>-<number>',
    empty: 'mobileEmpty',
    invalid: 'mobileInvalid',
    taken: 'mobileTaken',
    updatable: true,
  },
  email: {
    kind: 'email',
    label: 'e-mail address',
    maxLength: 254,
    empty: 'emailEmpty',
    invalid: 'emailInvalid',
    taken: 'emailTaken',
    updatable: true,
  },
  attr_gender: {
    kind: 'gender',
    label: 'gender: unknow, male or female',
    empty: 'genderEmpty',
    invalid: 'genderInvalid',
    updatable: true,
  },
  attr_birthday: {
    kind: 'date',
    label: 'birthday, yyyy-mm-dd',
    empty: 'birthdayEmpty',
    invalid: 'birthdayInvalid',
    updatable: true,
  },
  attr_nick_name: {
    kind: 'text',
    label: 'nickname',
    maxLength: 100,
    empty: 'nickNameEmpty',
    invalid: 'nickNameInvalid',
    updatable: true,
  },
  mailing_address: {
    kind: 'lines',
    label: 'mailing address',
    maxLength: 255,
    empty: 'mailingAddressEmpty',
    invalid: 'mailingAddressInvalid',
    updatable: true,
  },
  zip_code: {
    kind: 'text',
    label: 'postal code',
    maxLength: 20,
    empty: 'zipCodeEmpty',
    invalid: 'zipCodeInvalid',
    updatable: true,
  },
  first_name: {
    kind: 'text',
    label: 'first name',
    maxLength: 100,
    empty: 'firstNameEmpty',
    invalid: 'firstNameInvalid',
    updatable: true,
  },
  middle_name: {
    kind: 'text',
    label: 'middle name',
    maxLength: 100,
    empty: 'middleNameEmpty',
    invalid: 'middleNameInvalid',
    updatable: true,
  },
  last_name: {
    kind: 'text',
    label: 'last name',
    maxLength: 100,
    empty: 'lastNameEmpty',
    invalid: 'lastNameInvalid',
    updatable: true,
  },
  industry: {
    kind: 'text',
    label: 'industry',
    maxLength: 100,
    empty: 'industryEmpty',
    invalid: 'industryInvalid',
    updatable: true,
  },
  external_id: {
    kind: 'text',
    label: 'ID in a third-party system',
    maxLength: 255,
    empty: 'externalIdEmpty',
    invalid: 'externalIdInvalid',
    updatable: false,
  },
  head_img: {
    kind: 'image',
    label: 'avatar: a http(s) URL or a base64 image data string',
    updatable: true,
  },
} as const satisfies Record<string, Attribute>;

export type AttributeName = keyof typeof attributes;

/** Keys of `attributes`, in the same order. */
export const attributeNames = Object.keys(attributes) as AttributeName[];

/** Values of `attr_gender` (§2.2; the spelling is the specification's). */
export const genders = ['unknow', 'male', 'female'] as const;

/** Names of the hash algorithms for imported passwords, case-sensitive (§2.3). */
export const hashAlgorithms = ['md5', 'bcrypt', 'md5_sha256', 'hmacsha256_base64_key'] as const;

/**
 * Limits on the cost of bcrypt; each step doubles the time of a login. `compared`: highest cost that is ever verified, because the
 * next one occupies a core for ten seconds. `accepted`: highest cost that a tenant accepts by default (decision 30).
 */
export const bcryptCosts = { compared: 16, accepted: 14 } as const;

export type HashAlgorithm = (typeof hashAlgorithms)[number];

/** True if `name` is exactly the name of a hash algorithm (case-sensitive). */
export function isHashAlgorithm(name: string): name is HashAlgorithm {
  return (hashAlgorithms as readonly string[]).includes(name);
}

/** Fields of a user in the order of §2.2; `extension` is the only one that is not a plain value. */
export const userFields = [
  'user_name',
  'user_id',
  'name',
  'mobile',
  'email',
  'pwd_change_at',
  'created_at',
  'updated_at',
  'disabled',
  'attr_gender',
  'attr_birthday',
  'attr_nick_name',
  'mailing_address',
  'zip_code',
  'first_name',
  'middle_name',
  'last_name',
  'industry',
  'external_id',
  'usr_auth_times',
  'usr_last_login',
  'extension',
  'head_img',
] as const;

export type UserField = (typeof userFields)[number];
