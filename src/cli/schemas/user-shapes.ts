import { type Attribute, type AttributeName, attributes, genders } from '../../contract/attributes.ts';
import type { Field, JsonSchema } from '../../contract/json-schema.ts';
import { userFieldSchemas, wireFields } from '../../contract/schemas.ts';
import {
  arrayOf,
  closed,
  count,
  list,
  may,
  moment,
  must,
  open,
  type Shapes,
  text,
  textOrNull,
  truth,
} from './shapes.ts';
import { errorShape } from './tenant-shapes.ts';

/** Attributes are as the service sends them; only the gender has values that the specification names. */
const attributeFields = Object.fromEntries(
  (Object.entries(attributes) as [AttributeName, Attribute][]).map(([name, { kind, label }]) => [
    name,
    may({ ...text, description: label, ...(kind === 'gender' ? { enum: genders } : {}) }),
  ]),
);

/** Another service may make ids of another shape, or leave out a time: what it sends is passed on. */
const passedOn = Object.fromEntries(
  Object.entries<Field>(userFieldSchemas).map(([name, { schema }]) => [name, may(withoutPattern(schema))]),
);

/** A user in every output (§2.2); fields that are not known here are passed on as the service sends them. */
const user: JsonSchema = open({
  ...attributeFields,
  ...passedOn,
  user_id: must(text),
  user_name: must(text),
  disabled: must(truth),
  usr_auth_times: must({ ...count, description: 'number of logins' }),
});

const reference: JsonSchema = closed(wireFields.UserReference);

const disabled: JsonSchema = {
  type: 'object',
  oneOf: [
    closed({ user_id: must(text), ok: must({ ...truth, const: true }) }),
    closed({ user_id: must(text), ok: must({ ...truth, const: false }), error: must(errorShape) }),
  ],
};

const page = {
  total: must({ ...count, description: 'users that match, as the service counts them' }),
  offset: must({ ...count, description: 'page number from 0' }),
  limit: must(count),
  complete: must({ ...truth, description: 'false: the listing cannot be vouched for (exit code 10)' }),
};

/** What the user commands print. */
export const userShapes = {
  'users list': list('Users', 'users', user, page),
  'users get': { title: 'A user', document: user },
  'users create': { title: 'The user that was created', document: reference },
  'users update': { title: 'The user that was changed', document: reference },
  'users disable': list('What became of each user', 'results', disabled),
} as const satisfies Record<string, Shapes>;

function withoutPattern({ pattern: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

const token = closed({ expires_at: must(moment), scope: must(text) });

const signIn = {
  profile: must(text),
  base_url: must(text),
  client_id: must({ ...textOrNull, description: 'null: the embedded service' }),
  token: must(token),
};

const origin: JsonSchema = {
  ...textOrNull,
  enum: ['flag', 'environment', 'profile', 'default', null],
  description: 'where the value came from; null: there is none',
};

const configuration = closed({
  file: must(text),
  mode: must({
    ...textOrNull,
    description: 'permissions, such as 600; null: there is no file, or no such thing',
  }),
  warnings: must(arrayOf(text)),
});

const status = closed({
  ...signIn,
  local: must({ ...textOrNull, description: 'database of the embedded service' }),
  auth_style: must(textOrNull),
  sources: must(
    closed({
      profile: must(origin),
      base_url: must(origin),
      client_id: must(origin),
      client_secret: must(origin),
    }),
  ),
  proxy: must({
    anyOf: [closed({ address: must(text), variable: must(text) }), { type: 'null' }],
    description: 'proxy in use, and the environment variable that names it',
  }),
  configuration: must(configuration),
});

const profile = closed({
  name: must(text),
  base_url: must(textOrNull),
  local: must({ ...textOrNull, description: 'database of the embedded service' }),
  client_id: must(textOrNull),
  current: must(truth),
  logged_in: must(truth),
  token: must({ anyOf: [token, { type: 'null' }] }),
});

const current = must({ ...textOrNull, description: 'null: none of the profiles is current' });

/** What the commands about profiles print. */
export const profileShapes = {
  login: { title: 'The profile that was stored', document: closed(signIn) },
  logout: list('What was forgotten', 'profiles', closed({ name: must(text), forgotten: must(truth) })),
  status: { title: 'The profile in use, and where each value came from', document: status },
  'profiles list': list('Profiles', 'profiles', profile, { current }),
  'profiles use': { title: 'The profile that is current now', document: closed({ current: must(text) }) },
  'profiles remove': {
    title: 'The profile that was removed',
    document: closed({ removed: must(text), current }),
  },
} as const satisfies Record<string, Shapes>;
