import { type ConversionConfig, type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';

type Schemas = Record<string, v.GenericSchema>;

/** Options for generating JSON Schemas. */
interface Options extends Pick<ConversionConfig, 'ignoreActions'> {
  /** Returns the `$ref` path of a schema that other schemas refer to. */
  pathOf?: (name: string) => string;
  /** True to describe values in which every default is filled in. */
  isComplete?: boolean;
}

/** Returns the JSON Schema 2020-12 of a value as written, before any transformation. */
export function jsonSchemaOf(schema: v.GenericSchema, options?: Options): JsonSchema {
  return jsonSchemasOf({ schema }, options).schema;
}

/** Returns JSON Schemas by name; a schema that contains another of them refers to it. */
export function jsonSchemasOf<Named extends Schemas>(
  schemas: Named,
  { pathOf, isComplete = false, ignoreActions = [] }: Options = {},
): { [Name in keyof Named]: JsonSchema } {
  return toJsonSchemaDefs(schemas, {
    typeMode: 'input',
    target: 'draft-2020-12',
    // Checks that JSON Schema cannot express.
    ignoreActions: ['check', 'check_items', 'raw_check', ...ignoreActions],
    overrideRef: ({ referenceId }) => pathOf?.(referenceId),
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const made = withoutNoise(jsonSchema);
      return isComplete ? completed(valibotSchema as v.GenericSchema, made) : made;
    },
  });
}

/** Removes keywords without effect, and merges "plain value or `null`" into one schema with two types. */
function withoutNoise({ propertyNames: _, ...schema }: JsonSchema): JsonSchema {
  if (schema.required?.length === 0) delete schema.required;
  const [value, other, ...more] = (schema.anyOf ?? []) as JsonSchema[];
  if (typeof value?.type !== 'string' || value.properties) return schema;
  if (other?.type !== 'null' || more.length > 0) return schema;
  const { anyOf: _alternatives, ...rest } = schema;
  return {
    ...rest,
    ...value,
    type: [value.type, 'null'],
    ...(value.enum ? { enum: [...value.enum, null] } : {}),
  };
}

/** Makes fields with a default required, and removes an optional `$comment`, which only people write. */
function completed(source: v.GenericSchema, { default: _, ...schema }: JsonSchema): JsonSchema {
  if (!('entries' in source)) return schema;
  if (!schema.required?.includes('$comment')) delete schema.properties?.$comment;
  const entries = Object.entries(source.entries as Record<string, { default?: unknown }>);
  const defaulted = entries.filter(([, entry]) => entry.default !== undefined).map(([name]) => name);
  return { ...schema, required: [...(schema.required ?? []), ...defaulted] };
}
