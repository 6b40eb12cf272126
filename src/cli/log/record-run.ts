import { resolve } from 'node:path';
import { type RowResult, rowResults } from '../../migration/model/outcome.ts';
import type { Shard } from '../../migration/model/shard.ts';
import type { CommandContext } from '../context/context.ts';
import type { Ended, RunBegun } from './log-line.ts';
import { beginInLog } from './write-log.ts';

/** What is known of a run when it begins. */
type BegunRun = Pick<RunBegun, 'kind' | 'rows'> & {
  target: Readonly<Record<string, string>>;
  source?: string;
  shard?: Shard | undefined;
};

/** What a run came to: the rows of its job by outcome. */
type RowCounts = { [Result in RowResult]?: number };

/** Writes a run into the log: when it begins, and how it ended. */
export interface RunRecord {
  begun(run: BegunRun): void;
  ended(counts: RowCounts): void;
}

/** Records a run in a directory. `isSending`: it sends changes to the tenant of its target. */
export function recordRun(
  context: CommandContext,
  { command, directory, isSending = false }: { command: string; directory: string; isSending?: boolean },
  warn: (text: string) => void,
): RunRecord {
  let end: ((end: Omit<Ended, 'time' | 'id'>) => void) | undefined;
  return {
    begun({ kind, target, rows, source, shard }) {
      const is_sending = isSending && Object.keys(target).length > 0;
      const file = { ...(source === undefined ? {} : { source }), ...(shard ? { shard } : {}) };
      const run = { command, target, kind, rows, directory: resolve(directory), is_sending, ...file };
      end = beginInLog(context, run, warn);
    },
    ended(counts) {
      const rows = Object.fromEntries(
        rowResults.flatMap((result) => (counts[result] ? [[result, counts[result]]] : [])),
      );
      const isWhole = (counts.pending ?? 0) + (counts.unknown ?? 0) === 0;
      end?.({ outcome: isWhole ? 'finished' : 'stopped', rows });
    },
  };
}
