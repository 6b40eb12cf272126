import * as v from 'valibot';
import { type JsonIssue, pathTo } from './issue.ts';

/** The value, or all its issues. */
export type Reading<Value> = { value: Value } | { issues: JsonIssue[] };

/** Checks a value of unknown shape. Each member reports only its first issue; the other members are still checked. */
export function readValue<Schema extends v.GenericSchema>(
  given: unknown,
  schema: Schema,
): Reading<v.InferOutput<Schema>> {
  const { success, output, issues } = v.safeParse(schema, given, { abortPipeEarly: true });
  if (success) return { value: output };
  return {
    issues: issues.map(({ path = [], message }) => ({
      path: path.reduce((parents, { key }) => pathTo(parents, key as string | number), ''),
      message,
    })),
  };
}
