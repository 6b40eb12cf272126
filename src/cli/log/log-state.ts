import { formatCount } from '../../text/format-count.ts';
import type { CommandContext } from '../context/context.ts';
import { warn } from '../output/show.ts';
import { isLogOff } from './log-files.ts';

/** Says what a reader of the log must know: what could not be read, and that nothing is added. */
export function sayLogState(context: CommandContext, broken: number): void {
  if (broken > 0) warn(context, `${formatCount(broken, 'line')} skipped: not of the log`);
  if (isLogOff(context)) warn(context, 'TENANT_USERS_NO_LOG is set: nothing is added to the log');
}

/** Entries as they stand in a table or in CSV. */
export function asTexts<Entry extends { time: string; target: Readonly<Record<string, string>> }>(
  entries: readonly Entry[],
): object[] {
  return entries.map(({ time, target, ...entry }) => ({
    ...entry,
    time: time.slice(0, 19).replace('T', ' '),
    target: Object.values(target).join(' '),
  }));
}
