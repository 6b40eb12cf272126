import type { AuditEvent } from '../../contract/audit-line.ts';
import { errorCode } from '../../text/error-code.ts';
import { type AuditSink, type FileOwner, ForeignFileError, openAuditFile } from './audit-file.ts';
import type { LineWriter } from './line-writer.ts';

/** Destination of audit lines, a file or the lines of a stream such as stderr, and the account that they name, if any. */
export type AuditTarget = ({ file: string; owner?: FileOwner } | { to: Pick<LineWriter, 'write'> }) &
  Pick<AuditEvent, 'account'>;

/** The audit log cannot be opened or written; `cause` says why, and `remedy` what to do if that is known. */
export class AuditError extends Error {
  override readonly name = 'AuditError';

  readonly code: string | undefined;
  readonly remedy: string | undefined;

  constructor(target: AuditTarget, cause: unknown) {
    super(`the audit log ${'file' in target ? `${target.file} ` : ''}cannot be written`, { cause });
    this.code = errorCode(cause);
    this.remedy = cause instanceof ForeignFileError ? cause.remedy : undefined;
  }
}

/** An open audit log. */
export type AuditLog = ReturnType<typeof openAuditLog>;

/**
 * Opens an audit log; throws `AuditError` if its file cannot be opened. The lines of one turn of the event loop are written
 * together, before their requests are answered. `report` is called once each time that writing begins to fail.
 */
export function openAuditLog(target: AuditTarget, now: () => number, report: (error: unknown) => void) {
  const sink = openSink(target);
  const end = target.account === undefined ? '}\n' : `,"account":${JSON.stringify(target.account)}}\n`;
  let last = { at: Number.NaN, text: '' };
  let lines: string[] = [];
  let answers: (() => void)[] = [];
  let fault: AuditError | undefined;

  /** Returns the time; cached, because many lines have the same millisecond. */
  function timeNow(): string {
    const at = now();
    if (at !== last.at) last = { at, text: new Date(at).toISOString() };
    return last.text;
  }

  function writeWaiting(): void {
    if (fault || lines.length > 0) {
      const text = lines.join('');
      lines = [];
      try {
        sink.write(text);
        fault = undefined;
      } catch (error) {
        if (!fault) report(new AuditError(target, error));
        fault = new AuditError(target, error);
      }
    }
    const written = answers;
    answers = [];
    for (const answer of written) answer();
  }

  return {
    /** Adds a line, and calls `written` after it was written or writing failed; a line that could not be written is kept. */
    record(event: AuditEvent, written = () => {}): void {
      // At the end of the turn, when all requests that share a commit have recorded their lines.
      if (answers.push(written) === 1) process.nextTick(writeWaiting);
      // Joined as text: copying an event into an object with more fields takes longer than writing it.
      lines.push(`{"time":"${timeNow()}",${JSON.stringify(event).slice(1, -1)}${end}`);
    },
    /** Retries lines that could not be written. Returns why they still cannot be, or `undefined` if none is left. */
    fault(): AuditError | undefined {
      if (fault) writeWaiting();
      return fault;
    },
    /** Writes the waiting lines, and returns why some are lost, if so. Call it only when nothing is recorded any more. */
    close(): AuditError | undefined {
      writeWaiting();
      sink.close();
      return fault;
    },
  };
}

/** Records an event, and waits for it; throws `AuditError` if it could not be written. */
export async function recordNow(log: AuditLog | undefined, event: AuditEvent): Promise<void> {
  if (!log) return;
  await new Promise<void>((resolve) => log.record(event, resolve));
  const fault = log.fault();
  if (fault) throw fault;
}

function openSink(target: AuditTarget): AuditSink {
  if ('file' in target) {
    try {
      return openAuditFile(target.file, target.owner);
    } catch (error) {
      throw new AuditError(target, error);
    }
  }
  return { write: (lines) => target.to.write(lines), close: () => {} };
}
