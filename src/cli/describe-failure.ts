import { CommanderError } from '@commander-js/extra-typings';
import { ApiError, AuthenticationError, NetworkError, type NetworkFault } from '../client/failures.ts';
import { errorCatalogue } from '../contract/errors.ts';
import { explainError } from '../contract/explain-error.ts';
import { looksLikeHash } from '../migration/hash-shapes.ts';
import { JobDirectoryError } from '../migration/job-directory-error.ts';
import { SourceError } from '../migration/source-error.ts';
import { StoppedError } from '../migration/stopped-error.ts';
import { exitCodes } from './exit-codes.ts';
import { networkRemedies, type OwnCode, ownErrors } from './explain/own-errors.ts';
import {
  ConfigurationError,
  type FaultDetail,
  IncompleteError,
  RefusedError,
  UsageError,
} from './failures.ts';
import { usageWords } from './usage-words.ts';

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

/** Faults that stay until somebody changes something. */
const lasting: ReadonlySet<NetworkFault> = new Set(['tls', 'proxy', 'notTheApi']);

/** The one translation of failures into exit codes and words. */
export function describeFailure(failure: unknown): Description {
  if (failure instanceof ApiError) {
    const notFound = failure.code === errorCatalogue.userNotFound.code;
    return answered(notFound ? exitCodes.notFound : exitCodes.refused, failure, failure.status >= 500);
  }
  if (failure instanceof AuthenticationError) return answered(exitCodes.authentication, failure, false);
  if (failure instanceof NetworkError) {
    const { message, status, fault, hint } = failure;
    const described = own('NETWORK', message, hint || networkRemedies[fault]);
    return { ...described, status: status ?? null, retryable: !lasting.has(fault) };
  }
  if (failure instanceof RefusedError) return own(failure.code, failure.message, failure.hint);
  if (failure instanceof IncompleteError) {
    const { message, hint, retryable } = failure;
    return { ...own('INCOMPLETE', message, hint), retryable };
  }
  if (failure instanceof UsageError) {
    const { message, hint, details } = failure;
    return { ...own('USAGE', message, hint), ...(details ? { details } : {}) };
  }
  if (failure instanceof StoppedError) return own(failure.code, failure.message, failure.hint);
  if (failure instanceof SourceError) return own('SOURCE', failure.message);
  if (failure instanceof JobDirectoryError) return own('JOB_DIRECTORY', failure.message, failure.hint);
  if (failure instanceof ConfigurationError) return own('CONFIGURATION', failure.message, failure.hint);
  if (failure instanceof CommanderError) {
    const { message, hint } = usageWords(withoutSecrets(failure.message));
    return own('USAGE', message, hint);
  }
  return own('UNEXPECTED', failure instanceof Error ? failure.message : String(failure));
}

/** A refusal of the service; codes that are not in the tables have no hint. */
function answered(
  exitCode: number,
  { code, message, status }: ApiError | AuthenticationError,
  isFailing: boolean,
): Description {
  const known = explainError(code);
  const retryable = known?.retryable ?? isFailing;
  return { exitCode, code, message, status, retryable, hint: known?.remedy ?? '' };
}

/** Without a hint of its own a failure gets what is to be done about every one of its code. */
function own(code: OwnCode, message: string, hint = ''): Description {
  const { exit, remedy } = ownErrors[code];
  return { exitCode: exitCodes[exit], code, message, status: null, retryable: false, hint: hint || remedy };
}

/** What commander says of an argument it cannot use, without what may be a secret in the wrong place. */
function withoutSecrets(message: string): string {
  const text = message.replace(/^error: /, '');
  // A value may hold quotes and line breaks of its own: all but the suggestion at the end belongs to it.
  const [, before, value = '', after = ''] =
    /^(unknown option '|unknown command '|option '[^']*' argument '|command-argument value ')(.*)('(?: is invalid.*|\n\(Did you mean .*\))?)$/s.exec(
      text,
    ) ?? [];
  if (before === undefined) return text;
  return `${before}${before.endsWith("option '") ? shownOption(value) : shownValue(value)}${after}`;
}

/** An option that is not known, without its value: `--name=…`, and of `-nvalue` the letter. */
function shownOption(option: string): string {
  const [, name, value] = /^(--[\w.-]*|-\w?)(.*)$/s.exec(option) ?? [];
  if (name === undefined) return shownValue(option);
  if (value) return value.startsWith('=') ? `${name}=…` : `${name}…`;
  return shownValue(name.replace(/^-+/, '')) === '…' ? '…' : name;
}

function shownValue(value: string): string {
  return looksLikeHash(value.trim()) ? '…' : value;
}
