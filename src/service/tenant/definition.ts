import type { AttributeName } from '../../contract/attributes.ts';

/** What a tenant asks of one attribute. Lengths in characters. */
export interface AttributeRule {
  /** What the tenant calls it. */
  displayName?: string;
  required: boolean;
  minLength: number;
  maxLength: number;
  pattern?: Pattern;
}

/** A tenant's own attribute (§1); only `text` can be unique (decision 25). */
export interface ExtensionRule extends AttributeRule {
  displayName: string;
  type: 'text' | 'number' | 'boolean' | 'date';
  unique: boolean;
}

/** A compiled pattern; the engine behind it must run in linear time on hostile input. */
export interface Pattern {
  /** The text it was compiled from. */
  readonly source: string;
  /** True when the pattern is found in the value; `^` and `$` tie it to the value's ends. */
  test(value: string): boolean;
}

/** The rules one tenant's users are held against. */
export interface TenantDefinition {
  tenantId: string;
  /** IANA zone of every `yyyy-MM-dd HH:mm:ss` (decision 16). */
  timeZone: string;
  attributes: Record<AttributeName, AttributeRule>;
  extension: ReadonlyMap<string, ExtensionRule>;
  mobile: { defaultAreaCode: string; areaCodes: ReadonlyMap<string, Pattern> };
  password: PasswordRule;
  /** Lifetimes in seconds. */
  token: { expiresIn: number };
  sso: { ticketExpiresIn: number; fields: readonly SsoField[] };
  /** Failed logins of a user in a row before further ones are refused for a while. */
  login: { maxAttempts: number; lockSeconds: number };
}

/** What a plain password must be (§7.3, decision 36). Lengths in characters. */
export interface PasswordRule {
  required: boolean;
  minLength: number;
  maxLength: number;
  /** Of digit, lower case, upper case and special. */
  minCharacterClasses: number;
  /** Most equal characters in a row. */
  maxRepeats: number;
  forbidReversedUserName: boolean;
  forbidUserInformation: boolean;
  forbidWeak: boolean;
  /** Passwords that may not be used again, the current one among them. */
  history: number;
}

/** Fields the ticket exchange can answer (§2.4). */
export type SsoField = 'id' | 'userName' | 'name' | 'mobile' | 'email';

/** A tenant as the service holds it: `key` is what its rows carry. */
export interface Tenant {
  key: number;
  definition: TenantDefinition;
}
