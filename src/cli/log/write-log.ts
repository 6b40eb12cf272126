import { readSettings } from '../config/settings.ts';
import { runFacts } from '../connection/connect.ts';
import type { CommandContext } from '../context/context.ts';
import { appendLine, isLogOff, whyNotLogged } from './log-files.ts';
import type { ChangeBegun, Ended, RunBegun } from './log-line.ts';

type Circumstances = 'time' | 'id' | 'profile' | 'target';

/** What a caller logs as begun. The other fields are added here, and the target if it is left out. */
export type Beginning = (Omit<RunBegun, Circumstances> | Omit<ChangeBegun, Circumstances>) & {
  target?: Readonly<Record<string, string>>;
};

const warned = new WeakSet<CommandContext>();

/**
 * Logs the beginning of something before it is sent, so that the line exists even if the process is killed. Returns a function that
 * logs the end. A log that cannot be written does not stop the command: `warn` is called, once per command.
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
        warn(`Warning: what this command does will not be in the log: ${whyNotLogged(context, cause)}`);
      warned.add(context);
    }
  };
  const { target, ...rest } = beginning;
  const { command, ...more } = rest;
  append({ command, profile: profileOf(context), target: target ?? runFacts(context).target, ...more });
  return append;
}

/** Name of the profile that selects the tenant; `null` if an option or a variable overrides it. */
function profileOf(context: CommandContext): string | null {
  try {
    const { local, baseUrl, profile, profileName } = readSettings(context);
    return profile && (local ?? baseUrl)?.origin === 'profile' ? profileName.value : null;
  } catch {
    // The command needed no tenant, or it would have failed before.
    return null;
  }
}
