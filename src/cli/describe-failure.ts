import { CommanderError } from '@commander-js/extra-typings';
import { ApiError, AuthenticationError, NetworkError } from '../client/failures.ts';
import { errorCatalogue } from '../contract/errors.ts';
import { JobDirectoryError } from '../migration/job-directory-error.ts';
import { SourceError } from '../migration/source-error.ts';
import { exitCodes } from './exit-codes.ts';
import { ConfigurationError, type FaultDetail, RefusedError, UsageError } from './failures.ts';

/** A failure as people and scripts are told of it. */
export interface Description {
  exitCode: number;
  code: string;
  message: string;
  /** HTTP status, when there was an answer. */
  status: number | null;
  /** May the same command succeed later without a change? */
  retryable: boolean;
  hint: string;
  /** Each thing that is wrong with a file that was given. */
  details?: readonly FaultDetail[];
}

const signInHints: Record<string, string> = {
  invalid_client: 'Check the client id and secret, then run: tenant-users login',
  invalid_token: 'Run: tenant-users login',
};

/** The one translation of failures into exit codes and words. */
export function describeFailure(failure: unknown): Description {
  if (failure instanceof ApiError) {
    const notFound = failure.code === errorCatalogue.userNotFound.code;
    return {
      ...bare(notFound ? exitCodes.notFound : exitCodes.refused, failure.code, failure.message),
      status: failure.status,
      retryable: failure.status >= 500,
    };
  }
  if (failure instanceof AuthenticationError) {
    const { code, message, status } = failure;
    return { ...bare(exitCodes.authentication, code, message, signInHints[code]), status };
  }
  if (failure instanceof NetworkError) {
    const { message, status, fault } = failure;
    const retryable = fault !== 'tls' && fault !== 'notTheApi';
    return { ...bare(exitCodes.network, 'NETWORK', message), status: status ?? null, retryable };
  }
  if (failure instanceof RefusedError) {
    return bare(exitCodes.refused, failure.code, failure.message, failure.hint);
  }
  if (failure instanceof UsageError) {
    const { message, hint, details } = failure;
    return { ...bare(exitCodes.usage, 'USAGE', message, hint), ...(details ? { details } : {}) };
  }
  if (failure instanceof SourceError) return bare(exitCodes.usage, 'SOURCE', failure.message);
  if (failure instanceof JobDirectoryError)
    return bare(exitCodes.configuration, 'JOB_DIRECTORY', failure.message);
  if (failure instanceof ConfigurationError) {
    return bare(exitCodes.configuration, 'CONFIGURATION', failure.message, failure.hint);
  }
  if (failure instanceof CommanderError) {
    return bare(
      exitCodes.usage,
      'USAGE',
      failure.message.replace(/^error: /, ''),
      'Add --help to see how it is used.',
    );
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  return bare(exitCodes.unexpected, 'UNEXPECTED', message, 'This should not happen; please report it.');
}

function bare(exitCode: number, code: string, message: string, hint = ''): Description {
  return { exitCode, code, message, status: null, retryable: false, hint };
}
