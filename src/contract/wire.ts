import * as v from 'valibot';
import {
  type Attribute,
  type AttributeName,
  attributes,
  genders,
  hashAlgorithms,
  type SsoField,
  ssoFields,
  type UserField,
} from './attributes.ts';
import { pageLimits } from './operations.ts';
import { timeShape } from './time.ts';
import { count, text } from './value-schemas.ts';

const seconds = v.pipe(count, v.description('seconds'));

/** A text that a request body may set; an empty one and `null` mean no value (decision 21). */
function settable(schema: v.GenericSchema<string>) {
  return v.pipe(
    v.nullable(schema),
    v.transform((value) => value ?? ''),
  );
}

const extension = v.exactOptional(
  v.pipe(
    v.nullable(v.record(v.string(), settable(text))),
    v.transform((values) => values ?? {}),
  ),
);
const mustModify = v.exactOptional(
  v.pipe(
    v.nullable(v.boolean()),
    v.metadata({ default: true }),
    v.transform((value) => value ?? true),
  ),
);

/** A time of the API (§2.2). */
const time = v.pipe(
  v.string(),
  v.regex(timeShape),
  v.description('yyyy-MM-dd HH:mm:ss in the time zone of the tenant'),
);

type Rows<Schema extends v.GenericSchema> = Record<AttributeName, v.ExactOptionalSchema<Schema, undefined>>;

/** Returns an optional field for each attribute. */
function attributeEntries<Schema extends v.GenericSchema>(schemaOf: (attribute: Attribute) => Schema) {
  const entries = Object.entries(attributes).map(([name, row]) => [name, v.exactOptional(schemaOf(row))]);
  return Object.fromEntries(entries) as Rows<Schema>;
}

/** The attributes of a user as answers show them (decision 25a); an empty one is left out (decision 23). */
const shownAttributes = attributeEntries(({ kind, label }) => {
  const value = v.pipe(v.string(), v.description(label));
  if (kind === 'date') return v.pipe(value, v.isoDate());
  return kind === 'gender' ? v.pipe(value, v.values(genders)) : value;
});

/** The attributes as a request body may set them. */
const settableAttributes = attributeEntries(({ kind, label, maxLength }) => {
  const facts = {
    description: label,
    ...(kind === 'gender' ? { enum: [...genders, ''] } : {}),
    // Not the format `date`, which an empty text does not have.
    ...(kind === 'date' ? { pattern: '^(\\d{4}-\\d\\d-\\d\\d)?$' } : {}),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
  return settable(v.pipe(v.string(), v.metadata(facts)));
});

const { external_id: _, ...updatableAttributes } = settableAttributes;

const newUserEntries = { extension, pwd_must_modify: mustModify, ...settableAttributes };

/** Without an algorithm or a value the user has no password (decision 29). */
const hashedPassword = v.object({
  algorithm: v.exactOptional(
    v.pipe(
      v.picklist(hashAlgorithms),
      v.metadata({ type: ['string', 'null'], enum: [...hashAlgorithms, '', null] }),
    ),
  ),
  value: v.exactOptional(settable(text)),
  /** HMAC key. */
  key: v.exactOptional(settable(v.pipe(v.string(), v.description('required for hmacsha256_base64_key')))),
});

/** Format of a user id (decision 6). */
export const userIdShape = /^\d{17}-[0-9A-F]{4}-[0-9A-F]{9}$/;

const user = v.strictObject({
  ...shownAttributes,
  user_id: v.pipe(v.string(), v.regex(userIdShape)),
  user_name: v.pipe(v.string(), v.description(attributes.user_name.label)),
  created_at: time,
  updated_at: time,
  pwd_change_at: v.exactOptional(time),
  disabled: v.boolean(),
  usr_auth_times: v.pipe(v.string(), v.regex(/^\d+$/), v.description('number of logins')),
  usr_last_login: v.exactOptional(time),
  extension: v.exactOptional(v.record(v.string(), v.string())),
} satisfies Record<UserField, v.GenericSchema>);

/** Headers by which a login names its application and the calling device. */
export const loginHeaders = {
  clientId: 'X-client-id',
  fingerprint: 'X-device-fingerprint',
  system: 'X-operating-sys-version',
  agent: 'X-agent',
} as const;

/** Fields by which SSO calls describe the calling device (§4.12). */
const deviceEntries = {
  operating_sys_version: text,
  device_ip: text,
  device_fingerprint: text,
  agent: v.exactOptional(v.string()),
};

const ssoEntries = Object.fromEntries(
  Object.keys(ssoFields).map((field) => [field, v.exactOptional(text)]),
) as Record<SsoField, v.ExactOptionalSchema<typeof text, undefined>>;

const loggedIn = v.strictObject({
  status: v.literal('SUCCESS'),
  session_token: text,
  expire: seconds,
  id_token: text,
});

/** Answer to a login if the password must be changed: a state token instead of a session. */
const passwordExpired = v.strictObject({ status: v.literal('PASSWORD_EXPIRED'), state_token: text });

/**
 * Request bodies and answers by name; types, JSON Schemas and the OpenAPI description are derived from them. `object` is a request
 * body: unknown fields are ignored (decision 11). `strictObject` is an answer: it has no other fields.
 */
export const wireSchemas = {
  User: user,
  /** Answer of the list (§4.2). */
  UserPage: v.strictObject({ total: count, users: v.array(user) }),
  /** Answer of Create, Import, Modify and Disable. */
  UserReference: v.strictObject({ user_id: text }),
  /** Body of Create (§4.3). */
  NewUser: v.object({
    ...newUserEntries,
    pwd: v.exactOptional(settable(v.pipe(v.string(), v.description('by the password rules of the tenant')))),
  }),
  /** Body of Import (§4.4). */
  HashedUser: v.object({
    ...newUserEntries,
    'hash-pwd': v.exactOptional(
      v.pipe(
        v.nullable(hashedPassword),
        v.transform((hash) => {
          const { algorithm, value, ...key } = hash ?? {};
          return algorithm && value ? { algorithm, value, ...key } : undefined;
        }),
      ),
    ),
  }),
  /** A password as an older system stored it (§2.3). */
  HashedPassword: hashedPassword,
  /** Body of Modify (§4.10): only the given fields change; an empty text clears a field. */
  UserChanges: v.object({ extension, ...updatableAttributes }),
  /** Answer of the token endpoint (§2.1). */
  AccessToken: v.strictObject({
    access_token: text,
    token_type: v.literal('bearer'),
    expires_in: seconds,
    scope: text,
    id_token: text,
  }),
  /** Body of the ticket exchange (§4.12). */
  TicketVerification: v.object({ sso_ticket: text, ...deviceEntries }),
  /** Answer of the ticket exchange (§2.4). */
  SsoUser: v.strictObject(ssoEntries),
  Credentials: v.object({ user_name: text, password: text }),
  LoginAnswer: v.variant('status', [loggedIn, passwordExpired]),
  LoggedIn: loggedIn,
  PasswordExpired: passwordExpired,
  PasswordUpdate: v.object({ old_password: text, new_password: text }),
  PasswordUpdated: v.omit(loggedIn, ['id_token']),
  NewPassword: v.object({ password: text, must_modify: mustModify }),
  TicketOrder: v.object({ session_token: text, ...deviceEntries }),
  SsoTicket: v.strictObject({ sso_ticket: text, expire: seconds }),
  KeySet: v.strictObject({ keys: v.array(v.looseObject({})) }),
  /** The discovery document of OpenID Connect. */
  Discovery: v.strictObject({
    issuer: text,
    token_endpoint: text,
    jwks_uri: text,
    grant_types_supported: v.array(text),
    response_types_supported: v.array(text),
    subject_types_supported: v.array(text),
    id_token_signing_alg_values_supported: v.array(text),
    token_endpoint_auth_methods_supported: v.array(text),
    scopes_supported: v.array(text),
    claims_supported: v.array(text),
  }),
};

/** Query of the list (§4.2); both times are exclusive bounds. */
export const listQuery = v.object({
  offset: v.pipe(count, v.description('page number from 0')),
  limit: v.pipe(v.number(), v.integer(), v.minValue(pageLimits.min), v.maxValue(pageLimits.max)),
  updated_at_greater: v.exactOptional(v.pipe(time, v.description('only users updated after this time'))),
  updated_at_less: v.exactOptional(v.pipe(time, v.description('only users updated before this time'))),
});

type Fields<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;
type Wire<Name extends keyof typeof wireSchemas> = v.InferOutput<(typeof wireSchemas)[Name]>;

export type User = Wire<'User'>;
export type UserPage = Wire<'UserPage'>;
export type UserReference = Wire<'UserReference'>;
export type NewUser = Wire<'NewUser'>;
export type HashedUser = Wire<'HashedUser'>;
export type HashedPassword = NonNullable<HashedUser['hash-pwd']>;
export type UserChanges = Wire<'UserChanges'>;
export type AccessToken = Wire<'AccessToken'>;
export type TicketVerification = Wire<'TicketVerification'>;
export type SsoUser = Wire<'SsoUser'>;
export type LoginAnswer = Wire<'LoginAnswer'>;
export type SsoTicket = Wire<'SsoTicket'>;
export type Discovery = Wire<'Discovery'>;
export type ListQuery = v.InferOutput<typeof listQuery>;

/** Attribute values by their wire names. */
export type AttributeValues = Fields<typeof settableAttributes>;
/** Fields that both Create and Import accept (§4.3, §4.4). */
export type NewUserValues = Fields<typeof newUserEntries>;
export type Device = Fields<typeof deviceEntries>;
