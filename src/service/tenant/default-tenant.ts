import { type Attribute, type AttributeName, attributes } from '../../contract/attributes.ts';
import type { AttributeRule, ExtensionRule, TenantDefinition } from './definition.ts';

/** The tenant a service has when it is given no other: nothing is required, the limits are those of the contract. */
export const defaultTenant: TenantDefinition = {
  tenantId: 'default',
  timeZone: 'UTC',
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]: [string, Attribute]) => [name, ruleOf(attribute)]),
  ) as Record<AttributeName, AttributeRule>,
  extension: new Map<string, ExtensionRule>([
    ['age', { ...extensionRule('Age', 'text'), pattern: /^\d{1,3}$/ }],
    ['joined_on', extensionRule('Joined on', 'date')],
  ]),
  mobile: {
    defaultAreaCode: '86',
    areaCodes: new Map([
      ['86', /^1[3-9]\d{9}$/],
      ['852', /^[5-9]\d{7}$/],
      ['853', /^6\d{7}$/],
      ['886', /^9\d{8}$/],
      ['1', /^[2-9]\d{9}$/],
      ['44', /^7\d{9}$/],
      ['65', /^[89]\d{7}$/],
      ['81', /^[789]0\d{8}$/],
    ]),
  },
  password: {
    required: false,
    minLength: 8,
    maxLength: 18,
    minCharacterClasses: 3,
    maxRepeats: 3,
    forbidReversedUserName: true,
    forbidUserInformation: true,
    forbidWeak: true,
    history: 5,
  },
  token: { expiresIn: 1800 },
  sso: { ticketExpiresIn: 300, fields: ['id', 'userName', 'name', 'mobile', 'email'] },
  login: { maxAttempts: 5, lockSeconds: 300 },
};

function ruleOf(attribute: Attribute): AttributeRule {
  return { required: false, minLength: 1, maxLength: attribute.maxLength ?? Number.POSITIVE_INFINITY };
}

function extensionRule(displayName: string, type: ExtensionRule['type']): ExtensionRule {
  return { displayName, type, unique: false, required: false, minLength: 1, maxLength: 255 };
}
