import { readSettings } from '../config/settings.ts';
import { runFacts } from '../connection/connect.ts';
import type { CommandContext } from '../context/context.ts';
import { reasonOf } from '../errors/system-fault.ts';
import { appendLine, isLogOff, logDirectory } from './log-files.ts';
import type { ChangeBegun, Ended, RunBegun } from './log-line.ts';

type Circumstances = 'time' | 'id' | 'profile' | 'target';

/** What is said to have begun; the log adds the circumstances. A target of its own wins. */
export type Beginning = (Omit<RunBegun, Circumstances> | Omit<ChangeBegun, Circumstances>) & {
  target?: Readonly<Record<string, string>>;
};

const warned = new WeakSet<CommandContext>();

/**
 * Writes a line that something has begun, before it is sent, so that it is there when the process is killed; returns what
 * writes how it ended. A log that cannot be written holds nothing up: `warn` says so, once a command.
 */
export function beginInLog(
  context: CommandContext,
  beginning: Beginning,
  warn: (text: string) => void,
): (end: Omit<Ended, 'time' | 'id'>) => void {
  const id = crypto.randomUUID();
  const append = (line: object) => {
    if (isLogOff(context)) return;
    try {
      appendLine(context, { time: new Date(context.now()).toISOString(), id, ...line });
    } catch (cause) {
      if (!warned.has(context))
        warn(
          `Warning: what this command does will not be in the log: ${logDirectory(context)} cannot be written: ${reasonOf(cause)}`,
        );
      warned.add(context);
    }
  };
  const { target, ...rest } = beginning;
  const { command, ...more } = rest;
  append({ command, profile: profileOf(context), target: target ?? runFacts(context).target, ...more });
  return append;
}

/** The profile that leads to the tenant; one that an option or a variable outdoes does not. */
function profileOf(context: CommandContext): string | null {
  const { local, baseUrl, profile, profileName } = readSettings(context);
  return profile && (local ?? baseUrl)?.origin === 'profile' ? profileName.value : null;
}
