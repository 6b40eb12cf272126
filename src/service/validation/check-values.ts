import { type Attribute, type AttributeName, attributeNames, attributes } from '../../contract/attributes.ts';
import { isRecord } from '../../contract/is-record.ts';
import { apiError } from '../errors/api-error.ts';
import type { ChangedValues, NewValues } from '../storage/users/user-values.ts';
import type { TenantDefinition } from '../tenant/definition.ts';
import { checkAttribute, checkExtension, checkMobile } from './check-attribute.ts';

/** The JSON object of a request's body, before its values are checked. */
export type Body = Record<string, unknown>;

/**
 * Checks every value of a new user, in the order of decision 26: first for missing values, then against the rules.
 * `hasPassword` is needed because `passwordEmpty` is one of the errors about missing values.
 */
export function checkNewUser(body: Body, tenant: TenantDefinition, hasPassword: boolean): NewValues {
  const extension = readExtension(body);
  const lacksPassword = !hasPassword && tenant.password.required;
  for (const name of attributeNames) {
    if (tenant.attributes[name].required && isEmpty(body[name])) rejectEmpty(name);
    if (lacksPassword && name === 'email') throw apiError('passwordEmpty');
  }
  for (const [key, rule] of tenant.extension) {
    if (rule.required && isEmpty(extension[key])) throw apiError('extensionEmpty', rule.display_name);
  }
  return checkFilled(body, extension, tenant, attributeNames);
}

const updatable = attributeNames.filter((name) => attributes[name].updatable);

/**
 * Checks the values of a Modify (§4.10): absent ones stay, empty ones are cleared (decisions 21, 25b). A user name cannot be
 * cleared, even if the tenant does not require one: every user has one.
 */
export function checkChanges(body: Body, tenant: TenantDefinition): ChangedValues {
  const extension = readExtension(body);
  const cleared: ChangedValues = { attributes: {}, extension: {} };
  for (const name of updatable) {
    if (!Object.hasOwn(body, name) || !isEmpty(body[name])) continue;
    if (name === 'user_name') throw apiError('userNameEmpty');
    if (tenant.attributes[name].required) rejectEmpty(name);
    cleared.attributes[name] = undefined;
  }
  for (const [key, rule] of tenant.extension) {
    if (!Object.hasOwn(extension, key) || !isEmpty(extension[key])) continue;
    if (rule.required) throw apiError('extensionEmpty', rule.display_name);
    cleared.extension[key] = undefined;
  }
  const filled = checkFilled(body, extension, tenant, updatable);
  return {
    ...filled,
    attributes: { ...cleared.attributes, ...filled.attributes },
    extension: { ...cleared.extension, ...filled.extension },
  };
}

/** Checks the non-empty values, and the empty ones of extension attributes that the tenant does not define. */
function checkFilled(
  body: Body,
  extension: Body,
  tenant: TenantDefinition,
  names: readonly AttributeName[],
): NewValues {
  const checked: NewValues = { attributes: {}, extension: {} };
  for (const name of names) {
    const value = body[name];
    if (isEmpty(value)) continue;
    const text = checkAttribute(name, value, tenant);
    checked.attributes[name] = text;
    if (name === 'mobile') checked.mobileKey = checkMobile(text, tenant);
  }
  // Not in the order of the request: the same faults get the same answer (decision 26).
  for (const key of tenant.extension.keys()) {
    const value = Object.hasOwn(extension, key) ? extension[key] : undefined;
    if (!isEmpty(value)) checked.extension[key] = checkExtension(key, value, tenant);
  }
  for (const key of Object.keys(extension))
    if (!tenant.extension.has(key)) checkExtension(key, extension[key], tenant);
  return checked;
}

/** True for a missing value, `""` and `null` (decision 21). */
export function isEmpty(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function readExtension(body: Body): Body {
  const value = body.extension;
  if (isEmpty(value)) return {};
  if (!isRecord(value)) throw apiError('requestInvalid', 'extension must be an object');
  return value;
}

function rejectEmpty(name: AttributeName): void {
  const { empty }: Attribute = attributes[name];
  if (empty) throw apiError(empty);
}
