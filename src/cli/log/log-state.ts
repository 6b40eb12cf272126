import { formatCount } from '../../text/format-count.ts';
import type { CommandContext } from '../context/context.ts';
import { warn } from '../output/show.ts';
import { isLogOff } from './log-files.ts';

/** Warns if lines of the log could not be read, and if the log is turned off. */
export function sayLogState(context: CommandContext, broken: number): void {
  if (broken > 0) warn(context, `${formatCount(broken, 'line')} skipped: not written by this program`);
  if (isLogOff(context)) warn(context, 'TENANT_USERS_NO_LOG is set: nothing is added to the log');
}

/** Converts log entries to flat rows for a table or CSV. */
export function asTexts<Entry extends { time: string; target: Readonly<Record<string, string>> }>(
  entries: readonly Entry[],
): object[] {
  return entries.map(({ time, target, ...entry }) => ({
    ...entry,
    time: time.slice(0, 19).replace('T', ' '),
    target: Object.values(target).join(' '),
  }));
}
