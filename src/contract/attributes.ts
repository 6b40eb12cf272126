import type { ErrorName } from './errors.ts';

/** Kind of value; determines the default validation rules (decision 25a). */
export type AttributeKind = 'text' | 'lines' | 'userName' | 'email' | 'mobile' | 'gender' | 'date' | 'image';

/** One attribute of a user (§2.2): its limits, its API errors, and whether Modify accepts it. */
export interface Attribute {
  kind: AttributeKind;
  /** Name shown to people. */
  label: string;
  /** Maximum length in characters, unless the tenant definition sets another. */
  maxLength?: number | undefined;
  /** API errors for an empty and for an invalid value; the specification has none for `head_img`. */
  empty?: ErrorName;
  invalid?: ErrorName;
  /** API error for a value that another user has; set only for attributes that are unique within a tenant. */
  taken?: ErrorName;
  /** True if Modify (§4.10) accepts the attribute. */
  updatable: boolean;
}

/** A row of `attributes` whose errors are named `…Empty` and `…Invalid`. */
function row<Kind extends AttributeKind, Name extends string>(
  kind: Kind,
  label: string,
  errors: Name,
  maxLength?: number,
) {
  return {
    kind,
    label,
    maxLength,
    empty: `${errors}Empty` as const,
    invalid: `${errors}Invalid` as const,
    updatable: true,
  };
}

/** All attributes that a caller can set, in the order in which the specification lists their error codes. */
export const attributes = {
  user_name: { ...row('userName', 'user name', 'userName', 100), taken: 'userNameTaken' },
  name: row('text', 'full name', 'name', 100),
  mobile: { ...row('mobile', 'mobile number, <area code>-<number>', 'mobile'), taken: 'mobileTaken' },
  email: { ...row('email', 'e-mail address', 'email', 254), taken: 'emailTaken' },
  attr_gender: row('gender', 'gender: unknow, male or female', 'gender'),
  attr_birthday: row('date', 'birthday, yyyy-mm-dd', 'birthday'),
  attr_nick_name: row('text', 'nickname', 'nickName', 100),
  mailing_address: row('lines', 'mailing address', 'mailingAddress', 255),
  zip_code: row('text', 'postal code', 'zipCode', 20),
  first_name: row('text', 'first name', 'firstName', 100),
  middle_name: row('text', 'middle name', 'middleName', 100),
  last_name: row('text', 'last name', 'lastName', 100),
  industry: row('text', 'industry', 'industry', 100),
  external_id: { ...row('text', 'ID in a third-party system', 'externalId', 255), updatable: false },
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

/** Fields that the ticket exchange can answer (§2.4), and what each shows of the user. */
export const ssoFields = {
  id: 'user_id',
  userName: 'user_name',
  name: 'name',
  mobile: 'mobile',
  email: 'email',
} as const satisfies Record<string, UserField>;

export type SsoField = keyof typeof ssoFields;
