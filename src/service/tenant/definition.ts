import type { AttributeName } from '../../contract/attributes.ts';

/** What a tenant asks of one attribute. Lengths in characters. */
export interface AttributeRule {
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
  password: { required: boolean };
  /** Lifetimes in seconds. */
  token: { expiresIn: number };
  sso: { ticketExpiresIn: number; fields: readonly SsoField[] };
}

/** Fields the ticket exchange can answer (§2.4). */
export type SsoField = 'id' | 'userName' | 'name' | 'mobile' | 'email';
