import * as v from 'valibot';
import { type JsonIssue, pathTo } from './issue.ts';

/** What was read, or everything that is wrong with it. */
export type Reading<Value> = { value: Value } | { issues: JsonIssue[] };

/** Reads a value of unknown shape. The checks of one value end at its first issue, those of its neighbours go on. */
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
