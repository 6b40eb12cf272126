import type { Field, JsonSchema } from '../../contract/json-schema.ts';

/** What a command prints: with `--json`, and as one line of `-o jsonl` where that is something else. */
export interface Shapes {
  title: string;
  document: JsonSchema;
  line?: JsonSchema;
}

/** A command that prints no JSON, and why. */
export interface Silent {
  silent: string;
}

type FieldTable = Readonly<Record<string, Field>>;

/** A field that is always there. */
export const must = (schema: JsonSchema) => ({ schema, required: true }) as const;
/** A field that may be missing. */
export const may = (schema: JsonSchema) => ({ schema, required: false }) as const;

export const text = { type: 'string' } as const satisfies JsonSchema;
export const truth = { type: 'boolean' } as const satisfies JsonSchema;
export const count = { type: 'integer', minimum: 0 } as const satisfies JsonSchema;
export const textOrNull = { type: ['string', 'null'] } as const satisfies JsonSchema;
/** A moment as ISO 8601 in UTC. */
export const moment = {
  ...text,
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  description: 'ISO 8601, UTC',
} as const satisfies JsonSchema;

/** A list. */
export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** An object with keys of its own, all of one kind. */
export function mapOf(additionalProperties: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties };
}

/** An object of ours: it has these fields and no others. */
export function closed(fields: FieldTable): JsonSchema {
  return { ...open(fields), additionalProperties: false };
}

/** An object of the service, which may have more fields than are known. */
export function open(fields: FieldTable): JsonSchema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** What `show` makes of a result with a list: the records in one document, or a line each. */
export function list(title: string, name: string, line: JsonSchema, rest: FieldTable = {}): Shapes {
  return { title, document: closed({ [name]: must(arrayOf(line)), ...rest }), line };
}
