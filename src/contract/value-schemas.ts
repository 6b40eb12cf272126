import * as v from 'valibot';

export const text = v.string();
export const textOrNull = v.nullable(v.string());
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** A number that need not be whole, such as seconds or a rate. */
export const amount = v.pipe(v.number(), v.minValue(0));

/** A moment as ISO 8601 in UTC. */
export const moment = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  v.description('ISO 8601, UTC'),
);

/** Adds a description to a schema. */
export function described<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.description(description));
}

/** A member that can be left out, with a description. */
export function optional<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.exactOptional(described(schema, description));
}

/** Returns a parser for a line of JSON Lines; invalid lines, such as one cut off by a power failure, give `undefined`. */
export function jsonLine<Schema extends v.GenericSchema>(schema: Schema) {
  const line = v.pipe(text, v.parseJson(), schema);
  return (content: string): v.InferOutput<Schema> | undefined => {
    const reading = v.safeParse(line, content);
    return reading.success ? reading.output : undefined;
  };
}

export const digest = described(text, 'SHA-256, hex');
