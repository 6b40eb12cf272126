import { ApiError, AuthenticationError, NetworkError, NotSentError } from '../../client/errors.ts';
import { explainError } from '../../contract/error-explanations.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import { hideSecrets } from '../../text/redact.ts';
import type { NotCreated } from '../model/outcome.ts';
import { type IssueCode, issueTable } from '../rows/issues/issues.ts';
import type { CallResult } from './classify-result.ts';

/**
 * Returns the outcome of a call that was not answered with a user. It contains nothing of `password`. `isUnanswered`: an earlier
 * attempt may have had an effect.
 */
export function outcomeOfFailure(
  result: Exclude<CallResult<unknown>, { kind: 'answered' }>,
  password: HashedPassword | undefined,
  isUnanswered: boolean,
): NotCreated | { result: 'pending' } {
  switch (result.kind) {
    case 'stopped':
      return { result: 'pending' };
    case 'refused': {
      const { code, message } = result.error;
      const hint = explainError(code)?.remedy ?? '';
      return { result: 'failed', code, message: withoutSecrets(message, password), hint };
    }
    case 'notSent':
      if (isUnanswered) return unanswered(result.error, password);
      return own(
        'failed',
        'NOT_REACHED',
        withoutSecrets(messageOf(result.error), password),
        result.error instanceof AuthenticationError ? askWhyRefused : undefined,
      );
    case 'unknown':
      return unanswered(result.error, password);
    case 'fatal':
      if (!result.mayHaveBeenSent) return { result: 'pending' };
      // TLS can fail after the row was sent.
      if (result.error instanceof NetworkError) return unanswered(result.error, password);
      // The text of the error may contain secrets, so it is not passed on.
      return own('unknown', 'DEFECT', issueTable.DEFECT.message);
  }
}

function unanswered(error: Error, password: HashedPassword | undefined): NotCreated {
  return own('unknown', 'NO_ANSWER', withoutSecrets(messageOf(error), password));
}

/** Returns the outcome of a row whose user could not be read. As their state is not known, nothing is sent; the next run continues here. */
export function unread(error: unknown, mayHaveBeenSent: boolean): NotCreated {
  const message = `the user could not be read: ${messageOf(error)}`;
  return mayHaveBeenSent ? own('unknown', 'NO_ANSWER', message) : own('failed', 'NOT_REACHED', message);
}

/** Returns the message of a failed call. The text of any other error may contain secrets, so it is not passed on. */
export function messageOf(failure: unknown): string {
  if (failure instanceof NotSentError) return messageOf(failure.cause);
  if (failure instanceof ApiError || failure instanceof AuthenticationError)
    return `${failure.message} (${failure.code})`;
  return failure instanceof NetworkError ? failure.message : 'unexpected error';
}

/** Returns an outcome with a code of the importer; without a hint, that of the code. */
export function own(
  result: 'failed' | 'unknown',
  code: IssueCode,
  message: string,
  hint: string = issueTable[code].remedy,
): NotCreated {
  return { result, code, message, hint };
}

/** What to do about a row that is refused with every token, although other calls are accepted. */
const askWhyRefused =
  'The service, or a gateway before it, refuses this row with every token. Ask those who run it why, then rerun the same command.';

/** Removes hash and key from a message, because a service may repeat what it was sent. */
function withoutSecrets(message: string, password: HashedPassword | undefined): string {
  return hideSecrets(message, [password?.value, password?.key]);
}
