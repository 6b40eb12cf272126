import * as v from 'valibot';
import { count, described, text } from '../../../contract/value-schemas.ts';

/** Everything that is known about a code, as `explain` prints it. */
export const explained = v.strictObject({
  group: described(
    v.picklist(['api', 'local', 'token', 'program', 'import', 'plan', 'hash', 'exit']),
    'where the code comes from',
  ),
  code: text,
  message: text,
  cause: text,
  remedy: text,
  retryable: v.boolean(),
  operations: described(
    v.array(text),
    'of the API that can answer with it; empty: it is not a code of the API',
  ),
  exit_code: count,
});

export type Explained = v.InferOutput<typeof explained>;
