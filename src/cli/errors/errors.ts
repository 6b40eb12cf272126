import type { OwnCode } from './error-table.ts';

/** One of several things that are wrong with a file; an empty path is the whole file. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** Wrong usage of a command, or a faulty file given to it: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string;
  readonly details: readonly ErrorDetail[] | undefined;

  constructor(message: string, hint = '', details?: readonly ErrorDetail[]) {
    super(message);
    this.hint = hint;
    this.details = details;
  }
}

/** A profile, the configuration file or the environment is not what it must be: exit code 3. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly hint: string;

  constructor(message: string, hint = '') {
    super(message);
    this.hint = hint;
  }
}

/** The service answered, but not with what the command needs: exit code 6. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly code: OwnCode;
  readonly hint: string;

  constructor(code: OwnCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** A listing was printed, and nobody can vouch that it has every user: exit code 10. */
export class IncompleteError extends Error {
  override readonly name = 'IncompleteError';
  readonly hint: string;
  /** May the same command be complete another time? */
  readonly retryable: boolean;

  constructor(message: string, hint: string, retryable: boolean) {
    super(message);
    this.hint = hint;
    this.retryable = retryable;
  }
}

/** The result has been printed, and tells itself what failed; only the exit code is still to be set. */
export class ReportedError extends Error {
  override readonly name = 'ReportedFailure';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('the command did not do all that was asked for');
    this.exitCode = exitCode;
  }
}
