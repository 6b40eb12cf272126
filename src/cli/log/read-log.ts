import { jsonLine } from '../../contract/value-schemas.ts';
import type { CommandContext } from '../context/context.ts';
import { readLines } from './log-files.ts';
import { type ChangeBegun, type Ended, logLine, type RunBegun } from './log-line.ts';

/** The beginning of a change or of a run, and its end if the log has one. */
export interface LogEntry {
  begun: RunBegun | ChangeBegun;
  ended: Ended | undefined;
}

/**
 * Reads the log, latest entry first, one page per file. Calls `broken` for each invalid line, such as one cut off by a power
 * failure or edited by hand. Does not parse lines that `isWanted` rejects. Throws a `ConfigurationError` if a file cannot be read.
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
