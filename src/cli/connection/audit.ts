import { mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { AuditEvent } from '../../contract/audit-line.ts';
import type { AuditError, AuditTarget } from '../../service/audit/audit-log.ts';
import { auditFileOf, isPostgres } from '../../text/database-location.ts';
import { defaultDatabase } from '../config/settings.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { reasonOf } from '../errors/system-fault.ts';

/**
 * The audit log of what commands do to a database: beside a SQLite file, and beside the configuration for PostgreSQL.
 * `undefined` for a database in memory.
 */
export function auditFile(context: CommandContext, database: string): string | undefined {
  return isPostgres(database)
    ? join(dirname(defaultDatabase(context)), 'audit.jsonl')
    : auditFileOf(database);
}

/** The audit log of a database, for writing: its directory is created, and its lines name the account that runs the command. */
export function auditTarget(context: CommandContext, database: string): AuditTarget | undefined {
  const file = auditFile(context, database);
  if (file === undefined) return undefined;
  // The directory of a SQLite file is created with the file.
  if (isPostgres(database)) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return { file, account: accountName() };
}

/** Name of the operating system's account that runs the command. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number without a name.
    return `uid ${process.getuid?.()}`;
  }
}

/**
 * Runs `work`, a change of a database that bypasses the API, and records it in the audit log, even if it fails.
 * `factsOf` adds facts about the result. If the log cannot be opened, `work` is not run.
 */
export async function audited<Result>(
  context: CommandContext,
  database: string,
  event: Omit<AuditEvent, 'outcome'>,
  work: () => Promise<Result>,
  factsOf: (result: Result) => Partial<AuditEvent> = () => ({}),
): Promise<Result> {
  const target = auditTarget(context, database);
  if (!target) return work();
  const { openAuditLog, recordNow } = await import('../../service/audit/audit-log.ts');
  try {
    const log = openAuditLog(target, context.now, () => {});
    let outcome: AuditEvent['outcome'] = 'failed';
    let facts: Partial<AuditEvent> = {};
    try {
      const result = await work();
      facts = factsOf(result);
      outcome = 'done';
      return result;
    } finally {
      await recordNow(log, { ...event, ...facts, outcome });
      log.close();
    }
  } catch (cause) {
    throw auditFault(cause) ?? cause;
  }
}

/** The error for an audit log that cannot be written; `undefined` if `cause` is something else. */
export function auditFault(cause: unknown): ConfigurationError | undefined {
  // Recognized by name, because its class is loaded only with the service.
  const { name, message, cause: origin } = cause as AuditError;
  if (name !== 'AuditError') return undefined;
  return new ConfigurationError(
    `${message}: ${reasonOf(origin)}`,
    'It must be writable for this account; serve takes another one with --audit FILE.',
  );
}
