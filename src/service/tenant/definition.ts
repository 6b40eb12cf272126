import * as v from 'valibot';
import { bcryptCosts, type SsoField, ssoFields } from '../../contract/attributes.ts';
import { defaultAreaCode } from '../../contract/normal-forms.ts';
import { isTimeZone } from '../../contract/time.ts';
import { boolean, crossCheck, integer, listOf, object, oneOf, record, string } from '../json/file-schemas.ts';
import { issueLines } from '../json/issue.ts';
import { readValue } from '../json/read-value.ts';
import { attributeRules, checkLengths, extensionRules, pattern } from './attribute-rules.ts';
import type { Pattern } from './pattern.ts';

const areaCodeShape = /^[1-9]\d{0,3}$/;

const builtInAreaCodes = {
  [defaultAreaCode]: '^1[3-9]\\d{9}$',
  '852': '^[5-9]\\d{7}$',
  '853': '^6\\d{7}$',
  '886': '^9\\d{8}$',
  '1': '^[2-9]\\d{9}$',
  '44': '^7\\d{9}$',
  '65': '^[89]\\d{7}$',
  '81': '^[789]0\\d{8}$',
};

const areaCode = v.pipe(
  v.string(),
  v.check((code) => areaCodeShape.test(code), 'an area code has 1 to 4 digits and does not begin with 0'),
);

const mobile = v.pipe(
  object({
    default_area_code: v.optional(
      string((code) => areaCodeShape.test(code), 'an area code of 1 to 4 digits, in quotes'),
      defaultAreaCode,
    ),
    area_codes: v.optional(
      v.pipe(
        record(areaCode, pattern),
        v.transform((codes): ReadonlyMap<string, Pattern> => new Map(Object.entries(codes))),
      ),
      builtInAreaCodes,
    ),
  }),
  crossCheck(({ default_area_code: code, area_codes }, report) => {
    if (!area_codes.has(code)) report(`${code} is not among area_codes`, 'default_area_code');
  }),
);

/** Rules for a plain password (§7.3, decision 36). Lengths are in characters. */
const password = v.pipe(
  object({
    required: v.optional(boolean, false),
    min_length: v.optional(integer(1, 128), 8),
    max_length: v.optional(integer(1, 1024), 18),
    /** Minimum number of classes used, of digit, lower case, upper case and special. */
    min_character_classes: v.optional(integer(1, 4), 3),
    /** Maximum number of equal characters in a row. */
    max_repeats: v.optional(integer(1, 1024), 3),
    forbid_reversed_user_name: v.optional(boolean, true),
    forbid_user_information: v.optional(boolean, true),
    forbid_weak: v.optional(boolean, true),
    /** Number of passwords that may not be used again, including the current one. */
    history: v.optional(integer(0, 24), 5),
    /** Highest cost of an imported bcrypt hash: each step doubles the time for which a login occupies a thread. */
    max_bcrypt_cost: v.optional(integer(4, bcryptCosts.compared), bcryptCosts.accepted),
  }),
  checkLengths(1024),
);

const ssoNames = Object.keys(ssoFields) as SsoField[];

const month = 31 * 24 * 3600;
const seconds = (most: number) => v.pipe(integer(1, most), v.description('seconds'));

/** The rules for the users of one tenant, as written in a tenant definition file; missing keys have their defaults. */
export const tenantDefinition = object({
  tenant_id: v.optional(
    string(
      (id) => /^[A-Za-z0-9][\w-]{0,63}$/.test(id),
      '1 to 64 letters, digits, "-" and "_", beginning with a letter or digit',
    ),
    'default',
  ),
  /** IANA time zone of every `yyyy-MM-dd HH:mm:ss` (decision 16). */
  time_zone: v.optional(
    v.pipe(string(isTimeZone, 'an IANA time zone such as Asia/Shanghai'), v.description('IANA time zone')),
    'UTC',
  ),
  attributes: v.optional(attributeRules, {}),
  extension: v.optional(extensionRules, {}),
  mobile: v.optional(mobile, {}),
  password: v.optional(password, {}),
  token: v.optional(object({ expires_in: v.optional(seconds(month), 1800) }), {}),
  sso: v.optional(
    object({
      ticket_expires_in: v.optional(seconds(86_400), 300),
      fields: v.optional(listOf(oneOf(ssoNames)), ssoNames),
    }),
    {},
  ),
  /** After how many failed logins in a row further ones are rejected, and for how long. */
  login: v.optional(
    object({
      max_attempts: v.optional(integer(1, 1000), 5),
      lock_seconds: v.optional(seconds(month), 300),
    }),
    {},
  ),
});

export type TenantDefinition = v.InferOutput<typeof tenantDefinition>;
export type PasswordRule = TenantDefinition['password'];

/** A tenant as the service uses it; `key` identifies it in the rows of the database. */
export interface Tenant {
  key: number;
  definition: TenantDefinition;
}

/** Reads the JSON text of a definition that was checked before; throws if it is not valid. */
export function definitionOf(text: string): TenantDefinition {
  const reading = readValue(JSON.parse(text), tenantDefinition);
  if ('value' in reading) return reading.value;
  throw new Error(`a tenant definition is not valid: ${issueLines(reading.issues).join('; ')}`);
}

type Written<Read> = Read extends Pattern
  ? string
  : Read extends ReadonlyMap<string, infer Value>
    ? Record<string, Written<Value>>
    : Read extends object
      ? { [Key in keyof Read]: Written<Read[Key]> }
      : Read;

/** A complete definition as written in a file, with every default filled in. */
export type TenantDocument = Written<TenantDefinition>;

/** Returns the complete document of a definition; reading it gives the same rules. */
export function describeDefinition(definition: TenantDefinition): TenantDocument {
  const text = JSON.stringify(definition, (_, value: unknown) =>
    value instanceof Map ? Object.fromEntries(value) : value,
  );
  return JSON.parse(text);
}
