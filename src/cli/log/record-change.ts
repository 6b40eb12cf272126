import { ApiError, AuthenticationError, NetworkError } from '../../client/errors.ts';
import { isRecord } from '../../contract/is-record.ts';
import { hasFormOfId } from '../../contract/operations.ts';
import type { CommandContext } from '../context/context.ts';
import { say } from '../output/show.ts';
import type { Ended } from './log-line.ts';
import { beginInLog } from './write-log.ts';

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
  try {
    const answer = await send();
    const made = isRecord(answer) ? answer.user_id : undefined;
    end({ outcome, ...(typeof made === 'string' ? { user_id: made } : {}) });
    return answer;
  } catch (failure) {
    end(endOf(failure, outcome === 'created'));
    throw failure;
  }
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
