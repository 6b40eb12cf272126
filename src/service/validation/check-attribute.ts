import {
  type Attribute,
  type AttributeKind,
  type AttributeName,
  attributes,
  genders,
} from '../../contract/attributes.ts';
import { isDay } from '../../contract/time.ts';
import { apiError } from '../errors/api-error.ts';
import type { ExtensionRule } from '../tenant/attribute-rules.ts';
import { isAcceptedText } from '../tenant/check-text.ts';
import type { TenantDefinition } from '../tenant/definition.ts';
import { readMobileKey } from '../tenant/mobile-key.ts';

const extensionChecks: Record<ExtensionRule['type'], (value: string) => boolean> = {
  text: () => true,
  number: (value) => /^-?\d+(\.\d+)?$/.test(value),
  boolean: (value) => value === 'true' || value === 'false',
  date: isDay,
};

/**
 * Checks one non-empty extension value against its definition. Throws `extensionInvalid` with the display name, or with the
 * beginning of the key if the tenant defines no such attribute (decision 25).
 */
export function checkExtension(key: string, value: unknown, tenant: TenantDefinition): string {
  const rule = tenant.extension.get(key);
  if (!rule) throw apiError('extensionInvalid', key.length > 100 ? `${key.slice(0, 100)}…` : key);
  if (typeof value !== 'string' || !isAcceptedText(value, rule) || !extensionChecks[rule.type](value)) {
    throw apiError('extensionInvalid', rule.display_name);
  }
  return value;
}

/**
 * How a URL or the data of a picture begins. The rest is only searched for white space: a pattern of all of it would store a position
 * for each of five million characters, to go back to.
 */
const imageBegin = /^(?:https?:\/\/|data:image\/[a-z0-9.+-]{1,127};base64,)\S/i;

/** White space and invisible format characters, which would make two names look alike (decision 17). */
const invisible = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** What a kind of attribute requires beside the text that the tenant's rule accepts. */
const attributeChecks: Partial<Record<AttributeKind, (value: string) => boolean>> = {
  userName: (value) => !invisible.test(value),
  email: (value) => /^[^@\s]+@[^@\s]+$/.test(value) && !invisible.test(value),
  gender: (value) => (genders as readonly string[]).includes(value),
  date: isDay,
  image: (value) => imageBegin.test(value) && !/\s/.test(value),
};

/**
 * Checks one non-empty value against the tenant's rule, and returns the text to store; `checkMobile` checks the form of a mobile
 * number. Throws the attribute's "does not meet the verification rules" error, also for a value of the wrong JSON type (decision
 * 10), or `requestInvalid` for `head_img`, which has no code (decision 24).
 */
export function checkAttribute(name: AttributeName, value: unknown, tenant: TenantDefinition): string {
  const { kind, invalid }: Attribute = attributes[name];
  const isValid = attributeChecks[kind] ?? (() => true);
  const rule = tenant.attributes[name];
  if (typeof value === 'string' && isAcceptedText(value, rule, kind !== 'lines') && isValid(value))
    return value;
  throw invalid ? apiError(invalid) : apiError('requestInvalid', name);
}

/** Returns the key of a mobile number. Throws `areaCodeNotPermitted` or `mobileInvalid`. */
export function checkMobile(value: string, tenant: TenantDefinition): string {
  const result = readMobileKey(value, tenant);
  if ('error' in result) throw apiError(result.error);
  return result.key;
}
