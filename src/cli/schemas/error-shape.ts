import type { Fields } from '../../contract/json-schema.ts';
import type { Description } from '../describe-failure.ts';
import type { FaultDetail } from '../failures.ts';
import { arrayOf, closed, may, must, type Shapes, text, truth } from './shapes.ts';

/** A failure as `--json` tells of it. */
export const errorShape = closed({
  code: must({ ...text, description: 'see tenant-users explain' }),
  message: must(text),
  status: must({ type: ['integer', 'null'], description: 'HTTP status, where there was an answer' }),
  retryable: must({ ...truth, description: 'may the same command succeed later without a change?' }),
  hint: must({ ...text, description: 'what to do next; may be empty' }),
  details: may(
    arrayOf(
      closed({
        path: must({ ...text, description: 'place in the file; empty: the whole file' }),
        message: must(text),
      } satisfies Fields<FaultDetail>),
    ),
  ),
} satisfies Fields<Omit<Description, 'exitCode'>>);

/** The one line on stderr of a command that failed. */
export const errorLine: Shapes = {
  title: 'The line on stderr of a command that failed',
  document: closed({ error: must(errorShape) }),
};
