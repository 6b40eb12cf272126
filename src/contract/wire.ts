import type { AttributeName, HashAlgorithm } from './attributes.ts';

/** Attribute values by their wire names. */
export type AttributeValues = { [Name in AttributeName]?: string };

/** What Create and Import both take (§4.3, §4.4). */
export interface NewUserValues extends AttributeValues {
  extension?: Record<string, string>;
  /** Must the password be changed at the next login? Default true. */
  pwd_must_modify?: boolean;
}

/** Body of Create (§4.3). */
export interface NewUser extends NewUserValues {
  pwd?: string;
}

/** A password as an older system stored it (§2.3). */
export interface HashedPassword {
  algorithm: HashAlgorithm;
  value: string;
  /** HMAC key; required for `hmacsha256_base64_key`. */
  key?: string;
}

/** Body of Import (§4.4). */
export interface HashedUser extends NewUserValues {
  'hash-pwd'?: HashedPassword;
}

/** Body of Modify (§4.10): only what is named changes; an empty text clears. */
export type UserChanges = Omit<AttributeValues, 'external_id'> & { extension?: Record<string, string> };

/** A user as look-ups and the list return it (§2.2). Times are `yyyy-MM-dd HH:mm:ss` in the tenant's zone. */
export interface User extends AttributeValues {
  user_id: string;
  user_name: string;
  created_at: string;
  updated_at: string;
  pwd_change_at?: string;
  disabled: boolean;
  /** Number of logins, as a numeric text. */
  usr_auth_times: string;
  usr_last_login?: string;
  extension?: Record<string, string>;
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
] as const satisfies readonly (keyof User)[];

/** Answer of the list (§4.2). */
export interface UserPage {
  total: number;
  users: User[];
}

/** Query of the list (§4.2): `offset` is a page number from 0; times are exclusive bounds. */
export interface ListQuery {
  offset: number;
  limit: number;
  updated_at_greater?: string;
  updated_at_less?: string;
}

/** Items per page, from and to (§8). */
export const pageLimits = { min: 10, max: 100 } as const;

/** Answer of Create, Import, Modify and Disable. */
export interface UserReference {
  user_id: string;
}

/** Answer of the token endpoint (§2.1). */
export interface AccessToken {
  access_token: string;
  token_type: string;
  /** Seconds it still lives. */
  expires_in: number;
  scope: string;
  id_token: string;
}

/** The calling device, as SSO calls name it (§4.12). */
export interface Device {
  operating_sys_version: string;
  device_ip: string;
  device_fingerprint: string;
  agent?: string;
}

/** Body of the ticket exchange (§4.12). */
export interface TicketVerification extends Device {
  sso_ticket: string;
}

/** Answer of the ticket exchange (§2.4). */
export interface SsoUser {
  id?: string;
  userName?: string;
  name?: string;
  mobile?: string;
  email?: string;
}

/** Answer of the companion login; a user whose password must change gets a state token, no session. */
export type LoginAnswer =
  | { status: 'SUCCESS'; session_token: string; expire: number; id_token: string }
  | { status: 'PASSWORD_EXPIRED'; state_token: string };

/** Answer of the companion that makes a ticket; `expire` in seconds. */
export interface SsoTicket {
  sso_ticket: string;
  expire: number;
}
