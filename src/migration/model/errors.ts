import { CodedError } from '../../contract/coded-error.ts';

/**
 * The source file cannot be imported as it is. Nothing was sent, unless the message says how many rows were. The message names the
 * file, the physical line if there is one, the reason and the remedy; it never contains a cell of the file.
 */
export class SourceError extends CodedError {
  readonly file: string;
  /** Physical line, from 1, if it is known. */
  readonly line: number | undefined;

  readonly fault: string;

  constructor(file: string, fault: string, line?: number, hint = '') {
    super('SOURCE', line === undefined ? `${file}: ${fault}` : `${file}, line ${line}: ${fault}`, hint);
    this.file = file;
    this.line = line;
    this.fault = fault;
  }
}

/**
 * Returns the reason why a run ended. If the file was changed after rows had been sent, the message says how many. Unlike an import, a
 * plan (`isPlan`) does not go on with such a file.
 */
export function afterSending(reason: Error | undefined, sent: number, isPlan: boolean): Error | undefined {
  if (!(reason instanceof SourceError) || sent === 0) return reason;
  const count = sent === 1 ? '1 row was sent' : `${sent} rows were sent`;
  const hint = isPlan
    ? 'To go on, restore the file as it was and rerun the same command. Nothing is done twice.'
    : 'To resume, restore the file as it was and rerun the same command; to go on with the changed file, use --only failed. No row is imported twice.';
  return new SourceError(reason.file, `${reason.fault}; ${count} before`, reason.line, hint);
}

/**
 * Why a run stopped: too many rows fail, or all in the same way; the service does not answer, or throttles everything; a canary
 * fails; a plan exceeds its limits, or its users have drifted; or the logins of an algorithm are out of line.
 */
export type StopCode =
  | 'MAX_FAILURES'
  | 'SYSTEMIC'
  | 'HOST_GONE'
  | 'THROTTLED'
  | 'CANARY_FAILED'
  | 'PLAN_LIMIT'
  | 'DRIFT'
  | 'OUT_OF_LINE';

/** A run stopped early because going on would be harmful or useless. What was sent is in the journal, the rest is pending. */
export class StoppedError extends CodedError<StopCode> {}

/**
 * The job directory cannot be used for the records of this run. The message names the directory; the hint says what to do if that
 * is not obvious.
 */
export class JobDirectoryError extends CodedError {
  /** True while another run uses the directory: the same command succeeds when that ends. */
  readonly isInUse: boolean;

  constructor(directory: string, fault: string, hint = '', isInUse = false) {
    super('JOB_DIRECTORY', `${directory}: ${fault}`, hint);
    this.isInUse = isInUse;
  }
}

/** Why a plan must not be applied: the plan, its file, mapping, tenant or signature is not what it was, or the plan was applied. */
export type PlanCode =
  | 'PLAN_CHANGED'
  | 'PLAN_FILE'
  | 'PLAN_MAPPING'
  | 'PLAN_TARGET'
  | 'PLAN_SIGNATURE'
  | 'PLAN_APPLIED';

/** A plan that must not be applied. Nothing was sent. */
export class PlanError extends CodedError<PlanCode> {}

/** Returns the error for a plan that is not what it was. */
export function changedPlan(fault: string, hint = 'Make the plan again.'): PlanError {
  return new PlanError('PLAN_CHANGED', fault, hint);
}

/** Evidence that is not valid: a byte of it was changed, or its signature does not match the key. */
export class EvidenceError extends CodedError<'EVIDENCE_CHANGED' | 'EVIDENCE_SIGNATURE'> {}

/** The tenant was not listed completely, so users may be missing. */
export class ListingError extends CodedError {
  constructor(message: string, hint: string) {
    super('INCOMPLETE', message, hint);
  }
}

export function incompleteListing(faults: readonly string[], hint: string): ListingError {
  return new ListingError(`the tenant was not listed completely: ${faults.join('; ')}`, hint);
}
