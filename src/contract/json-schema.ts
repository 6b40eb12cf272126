import { type ConversionConfig, type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';

type Schemas = Record<string, v.GenericSchema>;

/** How JSON Schemas are made. */
interface Options extends Pick<ConversionConfig, 'ignoreActions'> {
  /** Where a schema that others refer to is found. */
  pathOf?: (name: string) => string;
  /** Every default is filled in. */
  isComplete?: boolean;
}

/** The JSON Schema 2020-12 of a value as it is written. */
export function jsonSchemaOf(schema: v.GenericSchema, options?: Options): JsonSchema {
  return jsonSchemasOf({ schema }, options).schema;
}

/** JSON Schemas by name; where one is a part of another, it is referred to. */
export function jsonSchemasOf<Named extends Schemas>(
  schemas: Named,
  { pathOf, isComplete = false, ignoreActions = [] }: Options = {},
): { [Name in keyof Named]: JsonSchema } {
  return toJsonSchemaDefs(schemas, {
    typeMode: 'input',
    target: 'draft-2020-12',
    // Rules that JSON Schema has no words for.
    ignoreActions: ['check', 'check_items', 'raw_check', ...ignoreActions],
    overrideRef: ({ referenceId }) => pathOf?.(referenceId),
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const made = withoutNoise(jsonSchema);
      return isComplete ? completed(valibotSchema as v.GenericSchema, made) : made;
    },
  });
}

/** Keywords that say nothing are left out, and a plain value that may be `null` is one type. */
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

/** A field that has a default is always there, and a comment that people may write never. */
function completed(source: v.GenericSchema, { default: _, ...schema }: JsonSchema): JsonSchema {
  if (!('entries' in source)) return schema;
  if (!schema.required?.includes('$comment')) delete schema.properties?.$comment;
  const entries = Object.entries(source.entries as Record<string, { default?: unknown }>);
  const defaulted = entries.filter(([, entry]) => entry.default !== undefined).map(([name]) => name);
  return { ...schema, required: [...(schema.required ?? []), ...defaulted] };
}
