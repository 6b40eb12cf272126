import { formatCount } from '../../text/format-count.ts';
import { quotePath } from '../../text/shell-quote.ts';
import { StoppedError } from '../model/errors.ts';
import { describeRowLimit, isExceeded, type RowLimit } from '../model/row-limit.ts';
import type { Plan } from './document/plan-schemas.ts';

/** Kinds of actions that a plan cannot carry out. */
const failing = ['cannot', 'conflict', 'invalid'] as const;

/**
 * Throws a `StoppedError` if a plan cannot carry out more rows than a limit allows: a file of wrong identifiers would otherwise change
 * whoever happens to have one. Returns the limit for the rows that the plan changes. Must be called before the first run only. Whom
 * an undo leaves out, it leaves out on purpose.
 */
export function remainingLimit(
  directory: string,
  { totals, undoes, file }: Plan,
  limit: RowLimit | undefined,
): RowLimit | undefined {
  if (!limit || undoes) return limit;
  const foreseen = failing.reduce((sum, kind) => sum + totals[kind], 0);
  if (!isExceeded(limit, foreseen, file.rows)) return 'rows' in limit ? { ...limit, foreseen } : limit;
  const show = `tenant-users plan show ${quotePath(directory)} --action`;
  const commands = failing.filter((kind) => totals[kind] > 0).map((kind) => `\n  ${show} ${kind}`);
  throw new StoppedError(
    'MAX_FAILURES',
    `the plan cannot carry out ${foreseen} of ${formatCount(file.rows, 'row')}, which is more than --max-failures ${describeRowLimit(limit)} allows`,
    `Nothing was sent. Correct the file, or allow more. To see these rows:${commands.join('')}`,
  );
}
