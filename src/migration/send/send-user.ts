import type { Client } from '../../client/client.ts';
import { ApiError, NetworkError } from '../../client/errors.ts';
import { explainError } from '../../contract/explain-error.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import type { NotCreated, Outcome, RowReference } from '../model/outcome.ts';
import { type IssueCode, issueTable } from '../rows/issues.ts';
import type { ValidRow } from '../rows/validate-rows.ts';
import { type CircuitBreaker, isFatal } from './circuit-breaker.ts';
import { rowKey } from './existing-user.ts';
import { NoPermitError } from './limited-client.ts';

/**
 * Sends one user (§4.4) by a client that keeps the pace, and says what became of the row; never rejects. A row is
 * `unknown` when it was sent and nobody knows what was done: it is not sent again here.
 */
export async function sendUser(
  client: Pick<Client, 'importHashedUser'>,
  valid: ValidRow,
  brake: CircuitBreaker,
): Promise<Outcome> {
  try {
    const { user_id: userId } = await client.importHashedUser(valid.user);
    return { ...rowReference(valid), result: 'created', userId };
  } catch (failure) {
    const place = rowReference(valid);
    if (failure instanceof NoPermitError) return { ...place, result: 'pending' };
    if (isFatal(failure)) {
      brake.stop(failure);
      // Encryption may break down only when the row is on its way.
      if (failure.effect === 'none') return { ...place, result: 'pending' };
    }
    const outcome = outcomeOf(failure, brake);
    return { ...place, ...outcome, message: withoutSecrets(outcome.message, valid.user['hash-pwd']) };
  }
}

/** Outcome of a good row in a dry run. */
export function holdBack(valid: ValidRow): Promise<Outcome> {
  return Promise.resolve({ ...rowReference(valid), result: 'pending' });
}

function outcomeOf(failure: unknown, brake: CircuitBreaker): NotCreated {
  if (failure instanceof ApiError) {
    if (failure.effect === 'unknown')
      return own('unknown', 'NO_ANSWER', `${failure.message} (${failure.code})`);
    return {
      result: 'failed',
      code: failure.code,
      message: failure.message,
      hint: explainError(failure.code)?.remedy ?? '',
    };
  }
  if (failure instanceof NetworkError) {
    const unsent = failure.effect === 'none';
    return own(unsent ? 'failed' : 'unknown', unsent ? 'NETWORK' : 'NO_ANSWER', failure.message);
  }
  // Not a failure of the API: the next row would meet it too. Its text may hold anything: it is not passed on.
  brake.stop(failure);
  return own('unknown', 'UNEXPECTED', issueTable.UNEXPECTED.message);
}

function own(result: 'failed' | 'unknown', code: IssueCode, message: string): NotCreated {
  return { result, code, message, hint: issueTable[code].remedy };
}

/** A service may repeat what it was sent. */
function withoutSecrets(message: string, password: HashedPassword | undefined): string {
  let text = message;
  for (const secret of [password?.value, password?.key]) {
    if (secret) text = text.replaceAll(secret, '[hidden]');
  }
  return text;
}

/** Which row and which user an outcome is about; nothing of the password but its algorithm. */
export function rowReference({ row, line, user }: ValidRow): RowReference {
  return {
    row,
    line,
    userName: user.user_name,
    externalId: user.external_id,
    algorithm: user['hash-pwd']?.algorithm,
    key: rowKey(user),
  };
}
