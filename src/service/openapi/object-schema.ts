import type { Field, JsonSchema } from '../../contract/json-schema.ts';

type FieldTable = Readonly<Record<string, Field>>;

/** Schema of a body: fields that it does not know are ignored (decision 11). */
export function objectSchema(fields: FieldTable, attributes: Record<string, JsonSchema> = {}): JsonSchema {
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
export function answerSchema(fields: FieldTable, attributes: Record<string, JsonSchema> = {}): JsonSchema {
  return { ...objectSchema(fields, attributes), additionalProperties: false };
}
