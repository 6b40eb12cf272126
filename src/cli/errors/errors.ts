import { CodedError } from '../../contract/coded-error.ts';
import type { JsonIssue } from '../../service/json/issue.ts';
import type { OwnCode } from './error-table.ts';

/** Wrong usage of a command, or an invalid file given to it: exit code 2. */
export class UsageError extends CodedError {
  readonly details: readonly JsonIssue[] | undefined;

  constructor(message: string, hint = '', details?: readonly JsonIssue[]) {
    super('USAGE', message, hint);
    this.details = details;
  }
}

/** A profile, the configuration file or the environment is invalid: exit code 3. */
export class ConfigurationError extends CodedError {
  constructor(message: string, hint = '') {
    super('CONFIGURATION', message, hint);
  }
}

/** The file of `--output-file` cannot be written. */
export class ResultFileError extends ConfigurationError {}

/** A signal, or Ctrl-C at a prompt, ended the command. `unanswered`: advice on a change that was sent and got no answer. */
export class InterruptedError extends CodedError<OwnCode> {
  readonly mayHaveChanged: boolean;

  constructor(unanswered: string | undefined) {
    const what = unanswered === undefined ? '' : ': its change may have been made';
    super('INTERRUPTED', `the command was interrupted${what}`, unanswered);
    this.mayHaveChanged = unanswered !== undefined;
  }
}

/** A failure with better advice than the general one about its code. `retryable`: `false` if the same command must not be given again. */
export class AdvisedError extends Error {
  override readonly name = 'AdvisedError';
  readonly advice: string;
  readonly retryable: false | undefined;

  constructor(cause: unknown, advice: string, retryable?: false) {
    super('see the cause', { cause });
    this.advice = advice;
    this.retryable = retryable;
  }
}

/** The service answered, but not with what the command needs: exit code 6. */
export class RefusedError extends CodedError<OwnCode> {
  /** What `explain` says more about than about the code: one or two hash mistakes, joined by `+`. */
  readonly explained: string | undefined;

  constructor(code: OwnCode, message: string, hint = '', explained?: string) {
    super(code, message, hint);
    this.explained = explained;
  }
}

/** The printed result already shows what failed; only the exit code remains to be set. */
export class ReportedError extends Error {
  override readonly name = 'ReportedError';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('the command did not do all that was asked for');
    this.exitCode = exitCode;
  }
}
