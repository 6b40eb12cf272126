import { formatCount } from '../../text/format-count.ts';
import { quotePath } from '../../text/shell-quote.ts';
import { StoppedError } from '../model/errors.ts';
import { describeRowLimit, type RowLimit, rowsIn } from '../model/row-limit.ts';
import type { Plan } from './plan-schemas.ts';

/**
 * Throws a `StoppedError` if more rows fail by the plan itself than a limit allows: a file of wrong identifiers would otherwise change
 * whoever happens to have one. Returns the limit for the rows that the plan changes. Whom an undo leaves out, it leaves out on purpose.
 */
export function countForeseen(
  directory: string,
  { totals, undoes, file }: Plan,
  limit: RowLimit | undefined,
): RowLimit | undefined {
  if (!limit || undoes) return limit;
  const foreseen = totals.conflict + totals.cannot + totals.invalid;
  if (foreseen > rowsIn(limit, file.rows))
    throw new StoppedError(
      'MAX_FAILURES',
      `${foreseen} of ${formatCount(file.rows, 'row')} fail by the plan, which is more than --max-failures ${describeRowLimit(limit)} allows`,
      `Nothing was sent. Correct the file; these rows and why they fail: tenant-users plan show ${quotePath(directory)}`,
    );
  return 'rows' in limit ? { rows: limit.rows - foreseen } : limit;
}
