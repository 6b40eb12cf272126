import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ClientOptions } from '../../client/client.ts';
import { CodedError } from '../../contract/coded-error.ts';
import { makeDirectory } from '../../migration/directory/make-directory.ts';
import type { InputOptions } from '../../migration/input/open-input.ts';
import type { OpenOptions, ServiceOptions } from '../../service/open-service.ts';
import { errorCode } from '../../text/error-code.ts';
import {
  isMissingFile,
  isPostgres,
  isUnencrypted,
  isUnnamed,
  refusedLocation,
  shownDatabase,
} from '../../text/locations/database-location.ts';
import { urlHost } from '../../text/locations/url-host.ts';
import { quoteWord } from '../../text/shell-quote.ts';
import { shownBaseUrl } from '../config/base-url.ts';
import { looseDatabase } from '../config/permissions.ts';
import { isDefaultDatabase, readTargetSettings, type Settings, type Sourced } from '../config/settings.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError, hintOf, reasonOf, systemFaultOf } from '../errors/errors.ts';
import { readKeyFile } from '../input/read-input.ts';
import { say, warn } from '../output/show.ts';
import { isWatched } from '../output/spinner.ts';
import { auditFault, auditTarget, closeService } from './audit.ts';

/**
 * Opens the local service inside this process, without a port, for as long as the command runs. A temporary database
 * has no audit log.
 */
export async function embed(
  context: CommandContext,
  database: string,
  tenants?: OpenOptions['tenants'],
): Promise<ClientOptions> {
  const { randomBytes } = await import('node:crypto');
  const application = { client_id: 'embedded', client_secret: randomBytes(32).toString('base64url') };
  const keySecret = readKeyFile(context);
  warnExposed(context, database);
  const { openService } = await import('../../service/open-service.ts');
  const { errorForLog } = await import('../../service/http/log.ts');
  const audit = auditTarget(context, database);
  const service = await opening(database, () =>
    openService({
      database,
      application,
      oneTenantOnly: true,
      commitThread: true,
      now: context.now,
      audit,
      tenants,
      keySecret,
      makeKeyPair: context.makeKeyPair,
      report: warnOnce(context, database, errorForLog),
    }),
  );
  context.onExit(() => closeService(context, service));
  const { expires_in, ...token } = service.issueToken();
  return {
    baseUrl: 'http://localhost',
    answer: service.answer,
    clientId: application.client_id,
    clientSecret: application.client_secret,
    authStyle: 'form',
    // A token call would sign an id token that nobody reads, and first generate the key for it.
    tokenStore: {
      initial: { ...token, expires_at: context.now() + expires_in * 1000 },
      load: () => undefined,
      save() {},
    },
  };
}

/**
 * Returns a function that warns of the first failure of the service, which has no log: its callers only learn that it is busy. An
 * import waits for it, and goes on when the cause is gone.
 */
function warnOnce(
  context: CommandContext,
  database: string,
  describe: (failure: unknown) => { message: string },
) {
  let isKnown = false;
  return (failure: unknown): void => {
    if (isKnown) return;
    isKnown = true;
    const fault =
      systemFaultOf(failure) ?? systemFaultOf(failure instanceof Error ? failure.cause : undefined);
    // Below the progress of an import.
    if (isWatched(context)) context.stderr.write('\n');
    warn(
      context,
      `the ${embeddedService(database, context.env)} failed: ${fault?.reason ?? describe(failure).message}`,
    );
  };
}

/** Warns if others can read a database: on the way to a PostgreSQL server elsewhere, or because of the permissions of its file. */
export function warnExposed(context: CommandContext, database: string): void {
  if (isUnencrypted(database, context.env))
    say(context, 'The connection to PostgreSQL is not encrypted. Add ?sslmode=verify-full to its address.');
  for (const reason of looseDatabase(database)) warn(context, reason);
}

/** Starts the service on a database and a port. It and `openAccess` throw a `ConfigurationError` if one of them cannot be opened. */
export async function startOn(database: string, options: Omit<ServiceOptions, 'database'>) {
  const { startService } = await import('../../service/open-service.ts');
  const service = await opening(database, () => startService({ database, ...options }));
  return { ...service, openAccess: () => opening(database, service.openAccess) };
}

async function opening<Service>(database: string, open: () => Promise<Service>): Promise<Service> {
  makeDirectoryOf(database);
  try {
    return await open();
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw auditFault(cause) ?? listenFault(cause) ?? databaseFault(cause, database);
  }
}

/** Why the service cannot listen on a host and a port, and what to do, by the system's error code. */
const listenFaults: Readonly<Record<string, [reason: string, hint: string]>> = {
  EADDRINUSE: [
    'the port is in use by another program',
    'Stop that program, or use another --port or --metrics-port; 0 takes a free one.',
  ],
  EACCES: ['permission denied for this port', 'Use a --port above 1023, or an account with the permission.'],
  EADDRNOTAVAIL: ['it is not an address of this machine', 'Use another --host.'],
  ENOTFOUND: ['there is no such host', 'Use another --host.'],
};

function listenFault(cause: unknown): ConfigurationError | undefined {
  if (!(cause instanceof Error && 'syscall' in cause)) return undefined;
  const { syscall, address, hostname, port } = cause as NodeJS.ErrnoException & Record<string, unknown>;
  const [reason, hint] = listenFaults[errorCode(cause) ?? ''] ?? [];
  if (reason === undefined || (syscall !== 'listen' && syscall !== 'getaddrinfo')) return undefined;
  const host = String(address ?? hostname ?? '');
  const where = port === undefined ? host : `${urlHost(host)}:${port}`;
  return new ConfigurationError(`the service cannot listen on ${where}: ${reason}`, hint);
}

/** SQLSTATE of PostgreSQL. Since version 15, only the owner of a database may create tables in it by default. */
const insufficientPrivilege = '42501';

function databaseFault(cause: unknown, database: string): ConfigurationError {
  const hint = systemFaultOf(cause)
    ? 'It and its directory must be readable and writable for this account. Use another one with --database or --local.'
    : isPostgres(database)
      ? errorCode(cause) === insufficientPrivilege
        ? 'For a database in use, name the user who has its tables, or give this one the rights. A new one must belong to this user, who creates the tables: createdb --owner USER.'
        : 'Check that PostgreSQL runs at this address, that the user may log in, and that the database exists: createdb makes an empty one.'
      : 'Use another one with --database, --local or --port.';
  return new ConfigurationError(
    `the service cannot start on ${shownDatabase(database)}: ${reasonOf(cause)}`,
    hintOf(cause) ?? hint,
  );
}

/** Creates the directory of a database file, private to its owner. Throws a `ConfigurationError` if that is impossible. */
export function makeDirectoryOf(database: string): void {
  if (isUnnamed(database) || isPostgres(database) || refusedLocation(database)) return;
  const directory = dirname(database);
  try {
    makeDirectory(directory);
  } catch (cause) {
    throw new ConfigurationError(
      `the directory ${directory} of the database cannot be made: ${reasonOf(cause)}`,
      'Name a database elsewhere: --local FILE, or --database FILE for serve.',
    );
  }
}

/** The text that replaces the base URL if the service is embedded. Takes what `shownDatabase` takes, and hides a password too. */
export function embeddedService(...database: Parameters<typeof shownDatabase>): string {
  return `embedded service on ${shownDatabase(...database)}`;
}

/** The service that a profile or the settings select, in words; `undefined` if none. Never shows a password. */
export function serviceOf(
  { env }: Pick<CommandContext, 'env'>,
  { local, base_url }: { [Name in 'local' | 'base_url']?: string | undefined } = {},
) {
  if (local !== undefined) return embeddedService(local, env);
  return base_url === undefined ? undefined : shownBaseUrl(base_url);
}

/** Says if a database is created, unless it is the default one: its name may be mistyped. Throws as `requireDatabasePlace` does. */
export function sayWhenNew(context: CommandContext, local: Sourced, profile: string): void {
  requireDatabasePlace(context, local, profile);
  if (isMissingFile(local.value) && !isDefaultDatabase(context, local.value))
    say(context, `New empty database: ${local.value}`);
}

/**
 * Opens a file of users before an empty database is made for it, if there is none yet: the database would be left behind. Resolves to
 * the open file, which is closed when the command ends. Rejects with a `SourceError` if it cannot be read.
 */
export async function openBeforeDatabase(context: CommandContext, file: string, options: InputOptions) {
  const { local } = readTargetSettings(context);
  if (!local || !isMissingFile(local.value)) return undefined;
  const { openInput } = await import('../../migration/input/open-input.ts');
  const opened = await openInput(file, { ...options, signal: context.signal });
  context.onExit(() => opened.source.close());
  return opened;
}

/** Throws a `ConfigurationError` if the embedded service has no database yet: records of an earlier job are never about an empty one. */
export function requireEarlierDatabase({ local }: Settings): void {
  if (!local || !isMissingFile(local.value)) return;
  throw new ConfigurationError(
    `there is no database ${local.value}, and these records are of one that has users`,
    'Correct its name, or put it back.',
  );
}

/**
 * Throws a `ConfigurationError` if there is no database and none may be created. The database of a profile was created at login,
 * so a missing one is an error. The directory of any other must exist, unless it is the default database. `profile`: the name
 * of the profile in use.
 */
export function requireDatabasePlace(context: CommandContext, { value, origin }: Sourced, profile: string) {
  if (!isMissingFile(value)) return;
  if (origin === 'profile') {
    const login = `tenant-users login --profile ${quoteWord(profile)} --local ${quoteWord(value)}`;
    throw new ConfigurationError(
      `the database ${value} of profile ${JSON.stringify(profile)} does not exist`,
      `Put it back, or make a new one: ${login}`,
    );
  }
  requireDirectory(context, value, origin === 'flag' ? '--local' : 'TENANT_USERS_LOCAL');
}

/**
 * Throws a `ConfigurationError` if neither a database nor its directory exists, unless it is the default one: its name may be mistyped.
 * `named`: what to correct then.
 */
export function requireDirectory(context: CommandContext, database: string, named: string): void {
  if (!isMissingFile(database) || isDefaultDatabase(context, database)) return;
  const directory = dirname(database);
  if (existsSync(directory)) return;
  throw new ConfigurationError(
    `there is no directory ${directory} for the database ${database}`,
    `Correct ${named}, or run: mkdir -p ${quoteWord(directory)}`,
  );
}
