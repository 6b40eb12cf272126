import {
  type Attribute,
  type AttributeKind,
  type AttributeName,
  attributes,
  genders,
} from '../../contract/attributes.ts';
import { isDay } from '../../contract/time.ts';
import { refusal } from '../refusal.ts';
import type { AttributeRule, TenantDefinition } from '../tenant/definition.ts';
import { isAcceptedText } from './check-text.ts';
import { parseMobile } from './parse-mobile.ts';

const imageShapes = [/^https?:\/\/\S+$/i, /^data:image\/[a-z0-9.+-]+;base64,\S+$/i];

const checks: Record<AttributeKind, (value: string, rule: AttributeRule) => boolean> = {
  text: isAcceptedText,
  userName: (value, rule) => isAcceptedText(value, rule) && !/\s/.test(value),
  email: (value, rule) => isAcceptedText(value, rule) && /^[^@\s]+@[^@\s]+$/.test(value),
  gender: (value, rule) => (genders as readonly string[]).includes(value) && isAcceptedText(value, rule),
  date: (value, rule) => isDay(value) && isAcceptedText(value, rule),
  image: (value, rule) => isAcceptedText(value, rule) && imageShapes.some((shape) => shape.test(value)),
  mobile: (value, rule) => isAcceptedText(value, rule),
};

/**
 * Holds one value, which is not empty, against the tenant's rule and returns the text to store.
 * Throws the attribute's "does not meet the verification rules" code, also for a value of the wrong JSON type
 * (decision 10); `head_img`, which has none, is refused as `requestInvalid` (decision 24).
 */
export function checkAttribute(name: AttributeName, value: unknown, tenant: TenantDefinition): string {
  const attribute: Attribute = attributes[name];
  if (typeof value !== 'string' || !checks[attribute.kind](value, tenant.attributes[name])) {
    throw attribute.invalid ? refusal(attribute.invalid) : refusal('requestInvalid', name);
  }
  if (attribute.kind === 'mobile') parseMobile(value, tenant);
  return value;
}
