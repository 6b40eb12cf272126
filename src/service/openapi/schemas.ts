import {
  type Attribute,
  type AttributeKind,
  type AttributeName,
  attributes,
  genders,
} from '../../contract/attributes.ts';
import type { Field, JsonSchema } from '../../contract/json-schema.ts';
import {
  hashedPasswordField,
  newUserFields,
  plainPasswordField,
  reference,
  userFieldSchemas,
  wireFields,
} from '../../contract/schemas.ts';

type WireName = keyof typeof wireFields;

const bodies = [
  'HashedPassword',
  'TicketVerification',
  'TicketOrder',
  'Credentials',
  'PasswordUpdate',
  'NewPassword',
] as const satisfies readonly WireName[];

/** Name of a schema of the document. */
export type SchemaName = WireName | 'User' | 'NewUser' | 'HashedUser' | 'UserChanges' | 'LoginAnswer';

/** Every schema of the document. */
export function componentSchemas(): Record<SchemaName, JsonSchema> {
  const { extension } = newUserFields;
  const plain = Object.entries(wireFields).map(([name, fields]) => {
    const isBody = (bodies as readonly string[]).includes(name);
    return [name, isBody ? objectSchema(fields) : answerSchema(fields)];
  });
  return {
    ...(Object.fromEntries(plain) as Record<WireName, JsonSchema>),
    User: answerSchema(userFieldSchemas, shownAttributes()),
    NewUser: objectSchema({ ...newUserFields, ...plainPasswordField }, settableAttributes()),
    HashedUser: objectSchema({ ...newUserFields, ...hashedPasswordField }, settableAttributes()),
    UserChanges: objectSchema(
      { extension },
      settableAttributes(({ updatable }) => updatable),
    ),
    LoginAnswer: { oneOf: [reference('LoggedIn'), reference('PasswordExpired')] },
  };
}

type Schemas = Partial<Record<AttributeName, JsonSchema>>;

/** How a stored value of each kind looks (decision 25a); patterns are the tenant's. */
const kinds: Record<AttributeKind, JsonSchema> = {
  text: {},
  userName: {},
  email: {},
  mobile: {},
  gender: { enum: genders },
  date: { format: 'date' },
  image: {},
};

const rows: [AttributeName, Attribute][] = Object.entries(attributes) as [AttributeName, Attribute][];

/** The attributes of a user as answers show them: an empty one is left out (decision 23). */
function shownAttributes(): Schemas {
  return schemasOf(rows, ({ kind, label }) => ({ type: 'string', description: label, ...kinds[kind] }));
}

/** The attributes that a body may set; an empty text or `null` is no value (decision 21). */
export function settableAttributes(wanted: (attribute: Attribute) => boolean = () => true): Schemas {
  return schemasOf(
    rows.filter(([, attribute]) => wanted(attribute)),
    ({ kind, label, maxLength }) => ({
      type: ['string', 'null'],
      description: label,
      ...kinds[kind],
      // `""` and `null` are texts of every kind here.
      ...(kinds[kind].enum ? { enum: [...kinds[kind].enum, '', null] } : {}),
      ...(maxLength === undefined ? {} : { maxLength }),
    }),
  );
}

function schemasOf(
  chosen: readonly [AttributeName, Attribute][],
  schemaOf: (row: Attribute) => JsonSchema,
): Schemas {
  return Object.fromEntries(chosen.map(([name, attribute]) => [name, schemaOf(attribute)]));
}

type FieldTable = Readonly<Record<string, Field>>;

/** Schema of a body: fields that it does not know are ignored (decision 11). */
function objectSchema(fields: FieldTable, attributes: Record<string, JsonSchema> = {}): JsonSchema {
  const entries = Object.entries(fields);
  const own = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  const required = entries.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: 'object',
    // An attribute keeps what the table of attributes says of it.
    properties: { ...own, ...attributes },
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Schema of an answer: it has these fields and no others. */
function answerSchema(fields: FieldTable, attributes: Record<string, JsonSchema> = {}): JsonSchema {
  return { ...objectSchema(fields, attributes), additionalProperties: false };
}
