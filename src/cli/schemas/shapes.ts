import * as v from 'valibot';
import { described, text } from '../../contract/value-schemas.ts';
import type { Description } from '../errors/describe-error.ts';

/** What a command prints with `--json`, and as one line of `-o jsonl` if that is different. */
export interface Shapes {
  title: string;
  /** A function if the schema is loaded only when it is needed. */
  document: v.GenericSchema | (() => Promise<v.GenericSchema>);
  line?: v.GenericSchema;
  /** What it prints instead if it runs for every row of a file (`--csv`). */
  csv?: v.GenericSchema;
}

/** A command that prints no JSON, and why. */
export interface Silent {
  silent: string;
}

/** The shapes of a list as `show` prints it: all records in one document, or one record per line. */
export function list(title: string, name: string, line: v.GenericSchema, rest: v.ObjectEntries = {}) {
  return { title, document: v.strictObject({ [name]: v.array(line), ...rest }), line };
}

export const errorShape = v.strictObject({
  code: described(text, 'see tenant-users explain'),
  message: text,
  status: described(v.nullable(v.pipe(v.number(), v.integer())), 'HTTP status, where there was an answer'),
  retryable: described(v.boolean(), 'whether the same command can succeed later without a change'),
  hint: described(text, 'what to do next; can be empty'),
  details: v.exactOptional(
    v.array(
      v.strictObject({ path: described(text, 'where in the file; empty: the whole file'), message: text }),
    ),
  ),
}) satisfies v.GenericSchema<unknown, Omit<Description, 'exitCode'>>;
