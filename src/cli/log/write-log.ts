import { resolve } from 'node:path';
import { ApiError, AuthenticationError, NetworkError } from '../../client/errors.ts';
import { isRecord } from '../../contract/is-record.ts';
import { hasFormOfId } from '../../contract/operations.ts';
import { type RowResult, rowResults } from '../../migration/model/outcome.ts';
import type { Shard } from '../../migration/model/shard.ts';
import { quotePath } from '../../text/shell-quote.ts';
import { readSettings } from '../config/settings.ts';
import { runFacts } from '../connection/connect.ts';
import type { CommandContext } from '../context/context.ts';
import { say } from '../output/show.ts';
import { appendLine, isLogOff, whyNotLogged } from './log-files.ts';
import type { ChangeBegun, Ended, RunBegun } from './read-log.ts';

interface UserChange {
  command: string;
  /** Left out for a user who does not exist yet. */
  userId?: string | undefined;
  outcome: Ended['outcome'];
}

/** Sends a change of one user, and logs its beginning and its end. Rejects as `send` does. */
export async function recordChange<Answer extends object>(
  context: CommandContext,
  { command, userId, outcome }: UserChange,
  send: () => Promise<Answer>,
): Promise<Answer> {
  // Typed text that does not look like an id may be an e-mail address or a misplaced secret: it is not logged.
  const user_id = userId !== undefined && hasFormOfId(userId) ? userId : null;
  const end = beginInLog(context, { command, user_id }, (text) => say(context, text, 'yellow'));
  context.unanswered = checkOf(user_id, outcome);
  try {
    const answer = await send();
    context.unanswered = undefined;
    const made = isRecord(answer) ? answer.user_id : undefined;
    end({ outcome, ...(typeof made === 'string' ? { user_id: made } : {}) });
    const user = typeof made === 'string' ? made : user_id;
    context.noteChange({
      done: outcome === 'sent' || user === null ? 'sent a request' : `${outcome} user ${user}`,
      next: isLogOff(context) || warned.has(context) ? '' : 'To see it: tenant-users log',
    });
    return answer;
  } catch (failure) {
    const ended = endOf(failure, outcome === 'created');
    if (ended.outcome === 'failed') context.unanswered = undefined;
    end(ended);
    throw failure;
  }
}

/** How to see whether a change without an answer was made. The tenant knows it; the log has only what was sent. */
function checkOf(userId: string | null, outcome: Ended['outcome']): string {
  if (userId !== null) return `See whether it was before you repeat it: tenant-users get ${userId}`;
  if (outcome !== 'created') return 'Check that before you repeat it.';
  return 'Before you repeat it, look for the user by an identifier (get --by-user-name), or among the newest: tenant-users list --sort=-user_id --limit 10';
}

/**
 * `unknown` if the call may have been carried out: no answer came, or an earlier attempt of the same call may have succeeded.
 * A create is sent only once.
 */
function endOf(failure: unknown, isCreate: boolean): Pick<Ended, 'outcome' | 'code'> {
  if (failure instanceof NetworkError) {
    return { outcome: isCreate && failure.effect === 'none' ? 'failed' : 'unknown', code: 'NETWORK' };
  }
  if (!(failure instanceof ApiError || failure instanceof AuthenticationError)) return { outcome: 'unknown' };
  return { outcome: failure.effect === 'none' ? 'failed' : 'unknown', code: failure.code };
}

type BegunRun = Pick<RunBegun, 'kind' | 'rows'> & {
  target: Readonly<Record<string, string>>;
  source?: string;
  since?: RunBegun['since'];
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
    begun({ kind, target, rows, source, since, shard }: BegunRun) {
      const is_sending = isSending && Object.keys(target).length > 0;
      const file = {
        ...(source === undefined ? {} : { source }),
        ...(since ? { since } : {}),
        ...(shard ? { shard } : {}),
      };
      const run = { command, target, kind, rows, directory: resolve(directory), is_sending, ...file };
      end = beginInLog(context, run, warn);
      const next = `To see what it did: tenant-users import-hashes status ${quotePath(run.directory)}`;
      if (is_sending) context.noteChange({ done: `begun a run in ${run.directory}`, next });
    },
    ended({ changed, ...counts }: RowCounts & { changed?: number }) {
      const rows = Object.fromEntries(
        rowResults.flatMap((result) => (counts[result] ? [[result, counts[result]]] : [])),
      );
      const isWhole = (counts.pending ?? 0) + (counts.unknown ?? 0) === 0;
      const { NOT_DISABLED: left } = counts.codes ?? {};
      const not_disabled = left ? { not_disabled: left } : {};
      const own = changed === undefined ? {} : { changed };
      end?.({ outcome: isWhole ? 'finished' : 'stopped', rows, ...own, ...not_disabled });
    },
  };
}

type Circumstances = 'time' | 'id' | 'profile' | 'target';

/** What a caller logs as begun. The other fields are added here, and the target if it is left out. */
type Beginning = (Omit<RunBegun, Circumstances> | Omit<ChangeBegun, Circumstances>) & {
  target?: Readonly<Record<string, string>>;
};

const warned = new WeakSet<CommandContext>();

/**
 * Logs the beginning of something before it is sent, so that the line exists even if the process is killed. Returns a function that
 * logs the end. A log that cannot be written does not stop the command: `warn` is called, once per command.
 */
function beginInLog(
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
  const { command, target = runFacts(context).target, ...more } = beginning;
  append({ command, profile: profileOf(context), target, ...more });
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
