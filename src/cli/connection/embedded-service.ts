import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ClientOptions } from '../../client/client.ts';
import type { OpenOptions, ServiceOptions } from '../../service/open-service.ts';
import { isPostgres, shownDatabase } from '../../text/database-location.ts';
import { errorCode } from '../../text/error-code.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError } from '../errors/errors.ts';

/** Opens the local service inside this process, without a port, for as long as the command runs. */
export async function embed(
  context: CommandContext,
  database: string,
  tenants?: OpenOptions['tenants'],
): Promise<ClientOptions> {
  const { randomBytes } = await import('node:crypto');
  const application = { client_id: 'embedded', client_secret: randomBytes(32).toString('base64url') };
  const { openService } = await import('../../service/open-service.ts');
  const service = await opening(database, () =>
    openService({
      database,
      application,
      firstTenantOnly: true,
      commitThread: true,
      now: context.now,
      ...(tenants ? { tenants } : {}),
    }),
  );
  context.onExit(() => service.close());
  return {
    baseUrl: 'http://localhost',
    answer: service.answer,
    clientId: application.client_id,
    clientSecret: application.client_secret,
    authStyle: 'form',
  };
}

/** Starts the service on a database and a port; throws `ConfigurationError` when one of them cannot be opened. */
export async function startOn(database: string, options: Omit<ServiceOptions, 'database'>) {
  const { startService } = await import('../../service/open-service.ts');
  return opening(database, () => startService({ database, ...options }));
}

async function opening<Service>(database: string, open: () => Promise<Service>): Promise<Service> {
  makeDirectoryOf(database);
  try {
    return await open();
  } catch (cause) {
    throw new ConfigurationError(
      startFault(cause, database),
      'Use another one with --database, --local or --port.',
    );
  }
}

function startFault(cause: unknown, database: string): string {
  const ofDatabase = cause instanceof Error && cause.name === 'StoreError';
  const code = ofDatabase ? undefined : errorCode(cause);
  if (code === 'EADDRINUSE') return 'the port is in use by another program';
  if (code === 'EACCES') return 'permission denied for this port';
  return `the service cannot start on ${shownDatabase(database)}: ${cause instanceof Error ? cause.message : String(cause)}`;
}

/** Makes the directory of a database file, for its owner's eyes only. */
export function makeDirectoryOf(database: string): void {
  if (database === ':memory:' || isPostgres(database)) return;
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
}

/** What stands for the base URL where the service is embedded; a password in the database's address is not shown. */
export function embeddedService(database: string): string {
  return `embedded service on ${shownDatabase(database)}`;
}
