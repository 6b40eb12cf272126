import { CodedError } from '../../contract/coded-error.ts';

/**
 * The source file cannot be imported as it is, and nothing was sent, unless the message says how many rows were. The message names the file, the physical
 * line where there is one, the reason and the way out; it never holds a cell of the file.
 */
export class SourceError extends CodedError {
  override readonly name = 'SourceError';
  readonly file: string;
  /** Physical line from 1, where it is known. */
  readonly line: number | undefined;

  readonly fault: string;

  constructor(file: string, fault: string, line?: number, hint = '') {
    super('SOURCE', line === undefined ? `${file}: ${fault}` : `${file}, line ${line}: ${fault}`, hint);
    this.file = file;
    this.line = line;
    this.fault = fault;
  }
}

/** A file that was changed during the run is refused when rows were sent: that must not read as if none had been. */
export function afterSending(reason: Error | undefined, sent: number): Error | undefined {
  if (!(reason instanceof SourceError) || sent === 0) return reason;
  const count = sent === 1 ? '1 row was sent' : `${sent} rows were sent`;
  const hint =
    'To resume, restore the file as it was and rerun the same command; to go on with the changed file, add --only failed. No row is imported twice.';
  return new SourceError(reason.file, `${reason.fault}; ${count} before`, reason.line, hint);
}

/**
 * Why a run stopped by itself: too many rows failed, they all fail in the same way, nothing of the service answers any
 * more, or it lets nothing through.
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

/** A run stopped early because to go on would do harm or no good. What was sent is in the journal, the rest is pending. */
export class StoppedError extends CodedError<StopCode> {
  override readonly name = 'StoppedError';
}

/**
 * The job directory cannot be used for the records of this run. The message names it, the hint what to do where that is
 * not obvious.
 */
export class JobDirectoryError extends CodedError {
  override readonly name = 'JobDirectoryError';
  readonly directory: string;

  constructor(directory: string, fault: string, hint = '') {
    super('JOB_DIRECTORY', `${directory}: ${fault}`, hint);
    this.directory = directory;
  }
}

/** What is in the way of a plan: it, its file, its mapping, its tenant or its signature is not what it was; or it was applied. */
export type PlanCode =
  | 'PLAN_CHANGED'
  | 'PLAN_FILE'
  | 'PLAN_MAPPING'
  | 'PLAN_TARGET'
  | 'PLAN_SIGNATURE'
  | 'PLAN_APPLIED';

/** A plan that must not be applied. Nothing was sent. */
export class PlanError extends CodedError<PlanCode> {
  override readonly name = 'PlanError';
}

/** Evidence that does not hold: a byte of it changed, or its signature is not that of the key. */
export class EvidenceError extends CodedError<'EVIDENCE_CHANGED' | 'EVIDENCE_SIGNATURE'> {
  override readonly name = 'EvidenceError';
}

/** A tenant that was not listed completely: users may be missing. */
export class ListingError extends CodedError {
  override readonly name = 'ListingError';
  override readonly retryable = true;

  constructor(message: string, hint: string) {
    super('INCOMPLETE', message, hint);
  }
}
