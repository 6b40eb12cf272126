import { type Attribute, type AttributeName, attributes, genders } from '../../contract/attributes.ts';
import type { Field, JsonSchema } from '../../contract/json-schema.ts';
import { userFieldSchemas, wireFields } from '../../contract/schemas.ts';
import { errorShape } from './error-shape.ts';
import { closed, count, list, may, must, open, type Shapes, text, truth } from './shapes.ts';

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
