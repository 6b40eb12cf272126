import type { AttributeName } from '../../contract/attributes.ts';
import type { ExtensionRule, SsoField } from './definition.ts';

/** One attribute in a tenant definition file. Lengths in characters. */
export interface AttributeDocument {
  display_name?: string;
  required: boolean;
  min_length: number;
  /** Left out where there is no limit but that of the body. */
  max_length?: number;
  pattern?: string;
}

/** A tenant's own attribute in the file. */
export interface ExtensionDocument {
  display_name: string;
  type: ExtensionRule['type'];
  required: boolean;
  unique: boolean;
  min_length: number;
  max_length: number;
  pattern?: string;
}

/** A whole tenant definition as the file has it, with every default filled in. */
export interface TenantDocument {
  tenant_id: string;
  time_zone: string;
  attributes: Record<AttributeName, AttributeDocument>;
  extension: Record<string, ExtensionDocument>;
  mobile: { default_area_code: string; area_codes: Record<string, string> };
  password: {
    required: boolean;
    min_length: number;
    max_length: number;
    min_character_classes: number;
    max_repeats: number;
    forbid_reversed_user_name: boolean;
    forbid_user_information: boolean;
    forbid_weak: boolean;
    history: number;
  };
  /** Seconds. */
  token: { expires_in: number };
  /** Seconds. */
  sso: { ticket_expires_in: number; fields: SsoField[] };
  login: { max_attempts: number; lock_seconds: number };
}
