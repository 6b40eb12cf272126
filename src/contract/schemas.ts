import { type AttributeName, hashAlgorithms } from './attributes.ts';
import type { Fields, JsonSchema } from './json-schema.ts';
import {
  type AccessToken,
  type Device,
  type HashedPassword,
  type HashedUser,
  type ListQuery,
  type LoginAnswer,
  type NewUser,
  type NewUserValues,
  pageLimits,
  type SsoTicket,
  type SsoUser,
  type TicketVerification,
  type User,
  type UserPage,
  type UserReference,
} from './wire.ts';

const must = (schema: JsonSchema) => ({ schema, required: true }) as const;
const may = (schema: JsonSchema) => ({ schema, required: false }) as const;

const text = { type: 'string' } as const satisfies JsonSchema;
const truth = { type: 'boolean' } as const satisfies JsonSchema;
const count = { type: 'integer', minimum: 0 } as const satisfies JsonSchema;
const seconds = { ...count, description: 'seconds' } as const satisfies JsonSchema;
const extension: JsonSchema = { type: 'object', additionalProperties: text };
const mustModify: JsonSchema = { ...truth, default: true };
const userId: JsonSchema = { ...text, pattern: '^\\d{17}-[0-9A-F]{4}-[0-9A-F]{9}$' };

/** A time of the API (§2.2), in the tenant's zone. */
const timeSchema: JsonSchema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
  description: 'yyyy-MM-dd HH:mm:ss in the time zone of the tenant',
};

/** Schema of a JSON type by the name it has in the document. */
export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** What a user has beside the attributes of the table (§2.2); the user name is always there. */
export const userFieldSchemas = {
  user_id: must(userId),
  user_name: must(text),
  created_at: must(timeSchema),
  updated_at: must(timeSchema),
  pwd_change_at: may(timeSchema),
  disabled: must(truth),
  usr_auth_times: must({ ...text, pattern: '^\\d+$', description: 'number of logins' }),
  usr_last_login: may(timeSchema),
  extension: may(extension),
} as const satisfies Fields<Omit<User, Exclude<AttributeName, 'user_name'>>>;

/** What Create and Import take beside the attributes; `extension` alone is also what Modify takes (§4.3, §4.10). */
export const newUserFields = {
  extension: may(extension),
  pwd_must_modify: may(mustModify),
} as const satisfies Fields<Omit<NewUserValues, AttributeName>>;

/** The password of Create (§4.3). */
export const plainPasswordField = {
  pwd: may({ ...text, description: 'by the password rules of the tenant' }),
} as const satisfies Fields<Omit<NewUser, keyof NewUserValues>>;

/** The password of Import (§4.4). */
export const hashedPasswordField = {
  'hash-pwd': may(reference('HashedPassword')),
} as const satisfies Fields<Omit<HashedUser, keyof NewUserValues>>;

const device = {
  operating_sys_version: must(text),
  device_ip: must(text),
  device_fingerprint: must(text),
  agent: may(text),
} as const satisfies Fields<Device>;

const success = { type: 'string', const: 'SUCCESS' } as const satisfies JsonSchema;

type SuccessAnswer = Extract<LoginAnswer, { status: 'SUCCESS' }>;
type ExpiredAnswer = Extract<LoginAnswer, { status: 'PASSWORD_EXPIRED' }>;

/** The wire types that are objects of their own, by name. */
export const wireFields = {
  AccessToken: {
    access_token: must(text),
    token_type: must({ ...text, const: 'bearer' }),
    expires_in: must(seconds),
    scope: must(text),
    id_token: must(text),
  } satisfies Fields<AccessToken>,
  UserPage: {
    total: must(count),
    users: must({ type: 'array', items: reference('User') }),
  } satisfies Fields<UserPage>,
  UserReference: { user_id: must(text) } satisfies Fields<UserReference>,
  HashedPassword: {
    algorithm: must({ ...text, enum: hashAlgorithms }),
    value: must(text),
    key: may({ ...text, description: 'required for hmacsha256_base64_key' }),
  } satisfies Fields<HashedPassword>,
  TicketVerification: { sso_ticket: must(text), ...device } satisfies Fields<TicketVerification>,
  TicketOrder: { session_token: must(text), ...device } satisfies Fields<Device & { session_token: string }>,
  SsoUser: {
    id: may(text),
    userName: may(text),
    name: may(text),
    mobile: may(text),
    email: may(text),
  } satisfies Fields<SsoUser>,
  SsoTicket: { sso_ticket: must(text), expire: must(seconds) } satisfies Fields<SsoTicket>,
  Credentials: { user_name: must(text), password: must(text) },
  LoggedIn: {
    status: must(success),
    session_token: must(text),
    expire: must(seconds),
    id_token: must(text),
  } satisfies Fields<SuccessAnswer>,
  PasswordExpired: {
    status: must({ ...text, const: 'PASSWORD_EXPIRED' }),
    state_token: must(text),
  } satisfies Fields<ExpiredAnswer>,
  PasswordUpdate: { old_password: must(text), new_password: must(text) },
  PasswordUpdated: {
    status: must(success),
    session_token: must(text),
    expire: must(seconds),
  } satisfies Fields<Omit<SuccessAnswer, 'id_token'>>,
  NewPassword: { password: must(text), must_modify: may(mustModify) },
  KeySet: { keys: must({ type: 'array', items: { type: 'object' } }) },
} as const;

/** Query of the list (§4.2). */
export const listQueryFields = {
  offset: must({ ...count, description: 'page number from 0' }),
  limit: must({ type: 'integer', minimum: pageLimits.min, maximum: pageLimits.max }),
  updated_at_greater: may({ ...timeSchema, description: 'only users updated after this time' }),
  updated_at_less: may({ ...timeSchema, description: 'only users updated before this time' }),
} as const satisfies Fields<ListQuery>;
