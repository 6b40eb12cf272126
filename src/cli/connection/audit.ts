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
 * The audit log of what commands do to a database of this machine: beside a SQLite file, and beside the configuration for
 * PostgreSQL. A database in memory has none.
 */
export function auditFile(context: CommandContext, database: string): string | undefined {
  return isPostgres(database)
    ? join(dirname(defaultDatabase(context)), 'audit.jsonl')
    : auditFileOf(database);
}

/** The audit log of a database for a writer: its directory is made, and lines name the account that runs the command. */
export function auditTarget(context: CommandContext, database: string): AuditTarget | undefined {
  const file = auditFile(context, database);
  if (file === undefined) return undefined;
  // The directory of a SQLite file is made with it.
  if (isPostgres(database)) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return { file, account: accountName() };
}

/** The account of the operating system that runs the command. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number without a name.
    return `uid ${process.getuid?.()}`;
  }
}

/**
 * Does something to a database beside the API, and records it, also when it fails; `factsOf` adds what the result tells.
 * Where it cannot be recorded it is not begun.
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

/** Says why the audit log cannot be written; `undefined` for any other error. */
export function auditFault(cause: unknown): ConfigurationError | undefined {
  // Its class is loaded with the service only.
  const { name, message, cause: origin } = cause as AuditError;
  if (name !== 'AuditError') return undefined;
  return new ConfigurationError(
    `${message}: ${reasonOf(origin)}`,
    'It must be writable for this account; serve takes another one with --audit FILE.',
  );
}
