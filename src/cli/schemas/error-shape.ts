import * as v from 'valibot';
import type { Description } from '../errors/describe-error.ts';
import { described, type Shapes, text } from './shapes.ts';

/** A failure as `--json` prints it. */
export const errorShape = v.strictObject({
  code: described(text, 'see tenant-users explain'),
  message: text,
  status: described(v.nullable(v.pipe(v.number(), v.integer())), 'HTTP status, where there was an answer'),
  retryable: described(v.boolean(), 'may the same command succeed later without a change?'),
  hint: described(text, 'what to do next; may be empty'),
  details: v.exactOptional(
    v.array(
      v.strictObject({ path: described(text, 'place in the file; empty: the whole file'), message: text }),
    ),
  ),
}) satisfies v.GenericSchema<unknown, Omit<Description, 'exitCode'>>;

/** The one line on stderr of a command that failed. */
export const errorLine: Shapes = {
  title: 'The line on stderr of a command that failed',
  document: v.strictObject({ error: errorShape }),
};
