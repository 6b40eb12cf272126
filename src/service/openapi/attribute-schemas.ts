import {
  type Attribute,
  type AttributeKind,
  type AttributeName,
  attributes,
  genders,
} from '../../contract/attributes.ts';
import type { JsonSchema } from '../../contract/json-schema.ts';

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
export function shownAttributes(): Schemas {
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
