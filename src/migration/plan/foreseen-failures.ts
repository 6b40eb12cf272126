import { formatCount } from '../../text/format-count.ts';
import { quotePath } from '../../text/shell-quote.ts';
import { StoppedError } from '../model/errors.ts';
import { describeRowLimit, type RowLimit, rowsIn } from '../model/row-limit.ts';
import type { Plan } from './plan-schemas.ts';

/**
 * Throws a `StoppedError` if a plan cannot carry out more rows than a limit allows: a file of wrong identifiers would otherwise change
 * whoever happens to have one. Returns the limit for the rows that the plan changes. Whom an undo leaves out, it leaves out on purpose.
 */
export function remainingLimit(
  directory: string,
  { totals, undoes, file }: Plan,
  limit: RowLimit | undefined,
): RowLimit | undefined {
  if (!limit || undoes) return limit;
  const foreseen = totals.conflict + totals.cannot + totals.invalid;
  if (foreseen > rowsIn(limit, file.rows))
    throw new StoppedError(
      'MAX_FAILURES',
      `the plan cannot carry out ${foreseen} of ${formatCount(file.rows, 'row')}, which is more than --max-failures ${describeRowLimit(limit)} allows`,
      `Nothing was sent. Correct the file. To see these rows: tenant-users plan show ${quotePath(directory)}`,
    );
  return 'rows' in limit ? { rows: limit.rows - foreseen } : limit;
}
