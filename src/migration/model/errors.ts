/**
 * The source file cannot be imported as it is, and nothing was sent. The message names the file, the physical
 * line where there is one, the reason and the way out; it never holds a cell of the file.
 */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly file: string;
  /** Physical line from 1, when the fault has a place. */
  readonly line: number | undefined;

  constructor(file: string, fault: string, line?: number) {
    super(line === undefined ? `${file}: ${fault}` : `${file}, line ${line}: ${fault}`);
    this.file = file;
    this.line = line;
  }
}

/**
 * Why a run stopped by itself: too many rows failed, they all fail in the same way, nothing of the service answers any
 * more, or it lets nothing through.
 */
export type StopCode = 'MAX_FAILURES' | 'SYSTEMIC' | 'HOST_GONE' | 'THROTTLED' | 'CANARY_FAILED';

/** A run took no more rows because to go on would do harm or no good. What was sent is in the books, the rest is pending. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  readonly code: StopCode;
  /** What to do before the run goes on. */
  readonly hint: string;

  constructor(code: StopCode, message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
  }
}

/**
 * The job directory cannot take the books of this run, or the system's directory for temporary files what the run puts
 * aside. The message names it, the hint the way out where it is a special one.
 */
export class JobDirectoryError extends Error {
  override readonly name = 'JobDirectoryError';
  readonly directory: string;
  readonly hint: string;

  constructor(directory: string, fault: string, hint = '') {
    super(`${directory}: ${fault}`);
    this.hint = hint;
    this.directory = directory;
  }
}
