import * as v from 'valibot';
import { expect, test } from 'vitest';
import { jsonSchemaOf, jsonSchemasOf } from '../../src/contract/json-schema.ts';

test('a value that may be null is one type, and one of its values', () => {
  expect(jsonSchemaOf(v.nullable(v.string()))).toEqual({ type: ['string', 'null'] });
  expect(jsonSchemaOf(v.nullable(v.picklist(['a', 'b'])))).toEqual({
    type: ['string', 'null'],
    enum: ['a', 'b', null],
  });
  const object = { type: 'object', properties: {} };
  expect(jsonSchemaOf(v.nullable(v.object({})))).toEqual({ anyOf: [object, { type: 'null' }] });
});

test('a field with a default may be left out of the input, and is in the complete value', () => {
  const schema = v.object({ a: v.optional(v.number(), 1), b: v.exactOptional(v.number()), c: v.number() });
  const { properties, required } = jsonSchemaOf(schema);
  expect({ properties, required }).toMatchObject({ properties: { a: { default: 1 } }, required: ['c'] });
  const complete = jsonSchemaOf(schema, { isComplete: true });
  expect(complete).toMatchObject({ properties: { a: { type: 'number' } }, required: ['c', 'a'] });
  expect(complete.properties?.a).not.toHaveProperty('default');
});

test('the schema describes the input and not the result of a conversion, and leaves out rules that JSON Schema does not have', () => {
  const schema = v.pipe(
    v.string(),
    v.check((text) => text !== 'x'),
    v.transform((text) => text.length),
  );
  expect(jsonSchemaOf(schema)).toEqual({ type: 'string' });
});

test('a schema that is part of another is referred to by its name', () => {
  const part = v.strictObject({ a: v.string() });
  const schemas = jsonSchemasOf(
    { Part: part, Whole: v.object({ parts: v.array(part) }) },
    { pathOf: (name) => `#/here/${name}` },
  );
  expect(schemas).toEqual({
    Part: {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    },
    Whole: {
      type: 'object',
      properties: { parts: { type: 'array', items: { $ref: '#/here/Part' } } },
      required: ['parts'],
    },
  });
});
