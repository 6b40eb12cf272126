import { resolve } from 'node:path';
import { type RowResult, rowResults } from '../../migration/model/outcome.ts';
import type { Shard } from '../../migration/model/shard.ts';
import type { CommandContext } from '../context/context.ts';
import { say } from '../output/show.ts';
import type { Ended, RunBegun } from './log-line.ts';
import { beginInLog } from './write-log.ts';

type BegunRun = Pick<RunBegun, 'kind' | 'rows'> & {
  target: Readonly<Record<string, string>>;
  source?: string;
  shard?: Shard | undefined;
};

/** Number of rows of a job by outcome, and of those that did not become users by error code. */
type RowCounts = { [Result in RowResult]?: number } & { codes?: Readonly<Record<string, number>> };

/**
 * Creates the log record of a run in a directory. `isSending`: the run sends changes to its target tenant. `warn`: says that the
 * log cannot be written; by default a notice.
 */
export function recordRun(
  context: CommandContext,
  { command, directory, isSending = false }: { command: string; directory: string; isSending?: boolean },
  warn: (text: string) => void = (text) => say(context, text),
) {
  let end: ((end: Omit<Ended, 'time' | 'id'>) => void) | undefined;
  return {
    begun({ kind, target, rows, source, shard }: BegunRun) {
      const is_sending = isSending && Object.keys(target).length > 0;
      const file = { ...(source === undefined ? {} : { source }), ...(shard ? { shard } : {}) };
      const run = { command, target, kind, rows, directory: resolve(directory), is_sending, ...file };
      end = beginInLog(context, run, warn);
    },
    ended(counts: RowCounts) {
      const rows = Object.fromEntries(
        rowResults.flatMap((result) => (counts[result] ? [[result, counts[result]]] : [])),
      );
      const isWhole = (counts.pending ?? 0) + (counts.unknown ?? 0) === 0;
      const { NOT_DISABLED: left } = counts.codes ?? {};
      const not_disabled = left ? { not_disabled: left } : {};
      end?.({ outcome: isWhole ? 'finished' : 'stopped', rows, ...not_disabled });
    },
  };
}
