import { type Attribute, type AttributeName, attributeNames, attributes } from '../../contract/attributes.ts';
import { isRecord } from '../../contract/is-record.ts';
import type { AttributeValues } from '../../contract/wire.ts';
import { apiError } from '../errors/api-error.ts';
import type { TenantDefinition } from '../tenant/definition.ts';
import { checkAttribute, checkExtension } from './check-attribute.ts';

/** Checked values of a new user by wire name, in the order of the attributes. What is empty is not a key. */
export interface NewValues {
  attributes: AttributeValues;
  extension: Record<string, string>;
}

/** Checked changes by wire name; `undefined` clears the attribute. What a request did not name is not a key. */
export interface ChangedValues {
  attributes: { [Name in AttributeName]?: string | undefined };
  extension: Record<string, string | undefined>;
}

/** A request's body as it came: nothing is known of its values. */
export type Body = Record<string, unknown>;

/**
 * Checks every value of a new user, in the order of decision 26: first what is empty, then what breaks a rule.
 * `hasPassword` takes part because `passwordEmpty` stands among the empty codes.
 */
export function checkNewUser(body: Body, tenant: TenantDefinition, hasPassword: boolean): NewValues {
  const extension = extensionOf(body);
  const lacksPassword = !hasPassword && tenant.password.required;
  for (const name of attributeNames) {
    if (tenant.attributes[name].required && isEmpty(body[name])) refuseEmpty(name);
    if (lacksPassword && name === 'email') throw apiError('passwordEmpty');
  }
  for (const [key, rule] of tenant.extension) {
    if (rule.required && isEmpty(extension[key])) throw apiError('extensionEmpty', rule.displayName);
  }
  return checkFilled(body, extension, tenant, attributeNames);
}

const updatable = attributeNames.filter((name) => attributes[name].updatable);

/**
 * Checks the values a Modify names (§4.10): absent ones stay, empty ones are cleared (decisions 21, 25b).
 * A user name cannot be cleared, whether the tenant requires one or not: every user has one.
 */
export function checkChanges(body: Body, tenant: TenantDefinition): ChangedValues {
  const extension = extensionOf(body);
  const cleared: ChangedValues = { attributes: {}, extension: {} };
  for (const name of updatable) {
    if (!Object.hasOwn(body, name) || !isEmpty(body[name])) continue;
    if (name === 'user_name') throw apiError('userNameEmpty');
    if (tenant.attributes[name].required) refuseEmpty(name);
    cleared.attributes[name] = undefined;
  }
  for (const [key, rule] of tenant.extension) {
    if (!Object.hasOwn(extension, key) || !isEmpty(extension[key])) continue;
    if (rule.required) throw apiError('extensionEmpty', rule.displayName);
    cleared.extension[key] = undefined;
  }
  const filled = checkFilled(body, extension, tenant, updatable);
  return {
    attributes: { ...cleared.attributes, ...filled.attributes },
    extension: { ...cleared.extension, ...filled.extension },
  };
}

/** Checks what is not empty; an empty value of an extension that the tenant does not have is refused as any other. */
function checkFilled(
  body: Body,
  extension: Body,
  tenant: TenantDefinition,
  names: readonly AttributeName[],
): NewValues {
  const checked: NewValues = { attributes: {}, extension: {} };
  for (const name of names) {
    const value = body[name];
    if (!isEmpty(value)) checked.attributes[name] = checkAttribute(name, value, tenant);
  }
  for (const key of Object.keys(extension)) {
    const value = extension[key];
    if (!isEmpty(value) || !tenant.extension.has(key)) {
      checked.extension[key] = checkExtension(key, value, tenant);
    }
  }
  return checked;
}

/** `""` and `null` count as empty (decision 21). */
export function isEmpty(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function extensionOf(body: Body): Body {
  const value = body.extension;
  if (isEmpty(value)) return {};
  if (!isRecord(value)) throw apiError('requestInvalid', 'extension must be an object');
  return value;
}

function refuseEmpty(name: AttributeName): void {
  const { empty }: Attribute = attributes[name];
  if (empty) throw apiError(empty);
}
