import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { ApiError } from '../../client/errors.ts';
import type { AuditEvent } from '../../contract/audit-line.ts';
import { CodedError } from '../../contract/coded-error.ts';
import { makeDirectory } from '../../migration/directory/make-directory.ts';
import type { FileOwner } from '../../service/audit/audit-file.ts';
import type { AuditError, AuditLog, AuditTarget } from '../../service/audit/audit-log.ts';
import type { OpenService } from '../../service/open-service.ts';
import { auditFileOf, isPostgres, shownDatabase } from '../../text/locations/database-location.ts';
import { inRealDirectory } from '../../text/locations/real-path.ts';
import { statOf } from '../config/permissions.ts';
import { defaultDatabase } from '../config/settings.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError, reasonOf } from '../errors/errors.ts';
import { warn } from '../output/show.ts';

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
  if (isPostgres(database)) makeDirectory(dirname(file));
  return { ...fileOfOwner(file, database), account: accountName() };
}

/**
 * A file as audit log of a database. If it is the one beside a SQLite file, and root runs the command where other accounts can put a
 * link in its place, it must belong to the owner of the database, whose `serve` writes to it.
 */
export function fileOfOwner(file: string, database: string): { file: string; owner?: FileOwner } {
  const beside = auditFileOf(database);
  const isBeside = beside !== undefined && inRealDirectory(file) === inRealDirectory(beside);
  if (!isBeside || process.geteuid?.() !== 0) return { file };
  const [directory, own] = [statOf(dirname(database)), statOf(database)];
  // Without a database, root is about to create it.
  const owner = own ?? { uid: 0, gid: 0 };
  const isRoots = owner.uid === 0 && directory?.uid === 0 && (directory.mode & 0o022) === 0;
  return isRoots ? { file } : { file, owner };
}

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
 * `factsOf` adds facts about the result. If the log cannot be opened, `work` is not run. If the change was made and cannot be
 * recorded, its result is still returned, because it may be a secret that cannot be shown again; the command fails afterwards.
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
  let log: AuditLog;
  try {
    log = openAuditLog(target, context.now, () => {});
  } catch (cause) {
    throw auditFault(cause) ?? cause;
  }
  /** Records the event and closes the log; returns why the event could not be recorded, if so. */
  const record = (recorded: AuditEvent): Promise<string | undefined> =>
    recordNow(log, recorded)
      .then(
        () => undefined,
        (cause: unknown) => auditFault(cause)?.message ?? reasonOf(cause),
      )
      .finally(() => log.close());
  let result: Result;
  try {
    result = await work();
  } catch (failure) {
    // These say that the change is not allowed; any other is an error of the service.
    const isRefused = failure instanceof ApiError || failure instanceof CodedError;
    const fault = await record({ ...event, outcome: isRefused ? 'refused' : 'failed' });
    if (fault !== undefined) warn(context, fault);
    throw failure;
  }
  const done = `changed database ${shownDatabase(database, context.env)}`;
  context.noteChange({ done, next: 'To see it: tenant-users audit' });
  const fault = await record({ ...event, ...factsOf(result), outcome: 'done' });
  if (fault !== undefined) {
    context.failure = new ConfigurationError(
      `the change was made, but ${fault}`,
      'The log has no line about it: do not run the command again. Make the log writable first.',
    );
  }
  return result;
}

/** Closes a service, and makes the command fail if lines of its audit log are lost then. */
export async function closeService(
  context: CommandContext,
  service: Pick<OpenService, 'close' | 'lostLines'>,
): Promise<void> {
  await service.close();
  const lost = service.lostLines();
  if (!lost) return;
  context.failure = new ConfigurationError(
    `${lost.message}, and its last lines are lost: ${reasonOf(lost.cause)}`,
    'What they would say was done, although the log does not have it. Make the log writable first.',
  );
}

/** The error for an audit log that cannot be written; `undefined` if `cause` is something else. */
export function auditFault(cause: unknown): ConfigurationError | undefined {
  // Recognized by name, because its class is loaded only with the service.
  const { name, message, remedy, cause: origin } = cause as AuditError;
  if (name !== 'AuditError') return undefined;
  return new ConfigurationError(
    `${message}: ${reasonOf(origin)}`,
    remedy ?? 'It must be a file that this account can write; serve takes another one with --audit FILE.',
  );
}
