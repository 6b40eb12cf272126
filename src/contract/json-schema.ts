/** The part of JSON Schema 2020-12 that the wire types need. */
export interface JsonSchema {
  type?: string | readonly string[];
  description?: string;
  enum?: readonly (string | null)[];
  const?: string | boolean;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: boolean | number;
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  oneOf?: readonly JsonSchema[];
  anyOf?: readonly JsonSchema[];
  $ref?: string;
}

/** A field of a wire type, and whether it is always there. */
export interface Field {
  schema: JsonSchema;
  required: boolean;
}

/** A field for each key of a wire type, required where its type says so: a key that is forgotten does not compile. */
export type Fields<Wire> = {
  [Key in keyof Wire]-?: {
    schema: JsonSchema;
    required: Partial<Pick<Wire, Key>> extends Pick<Wire, Key> ? false : true;
  };
};
