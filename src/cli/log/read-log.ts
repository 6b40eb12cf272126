import { jsonLine } from '../../contract/value-schemas.ts';
import type { CommandContext } from '../context/context.ts';
import { readLines } from './log-files.ts';
import { type ChangeBegun, type Ended, logLine, type RunBegun } from './log-line.ts';

/** What has begun, and how it ended, where the log knows. */
export interface LogEntry {
  begun: RunBegun | ChangeBegun;
  ended: Ended | undefined;
}

/**
 * Reads the log, the latest entry first, a page for each file. `broken` hears of each line that is none: the half one that a
 * power failure leaves, or what somebody has edited. Lines that are not wanted are not parsed. Throws a `ConfigurationError`.
 */
export function* readLog(
  context: CommandContext,
  broken: () => void,
  isWanted: (line: string) => boolean = () => true,
): Generator<LogEntry[]> {
  const ends = new Map<string, Ended>();
  for (const lines of readLines(context)) {
    const entries: LogEntry[] = [];
    for (const text of lines) {
      if (!isWanted(text)) continue;
      const line = lineFrom(text);
      if (!line) broken();
      else if ('outcome' in line) ends.set(line.id, line);
      else {
        entries.push({ begun: line, ended: ends.get(line.id) });
        ends.delete(line.id);
      }
    }
    yield entries;
  }
}

const lineFrom = jsonLine(logLine);
