import { ApiError } from '../../client/errors.ts';
import type { AuditEvent } from '../../contract/audit-line.ts';
import { CodedError } from '../../contract/coded-error.ts';
import { shownDatabase } from '../../text/locations/database-location.ts';
import { isLoopback } from '../config/base-url.ts';
import { defaultDatabase, readTargetSettings, type Sourced } from '../config/settings.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError, hintOf, reasonOf, UsageError } from '../errors/errors.ts';
import { requireYes } from '../input/prompts.ts';
import { say } from '../output/show.ts';
import { audited } from './audit.ts';
import { requireDatabasePlace, warnExposed } from './embedded-service.ts';

/**
 * Runs `work` on the embedded database: that of `--local`, of the environment, of a local profile, or the default one. Throws a
 * `ConfigurationError` if the database cannot be used, a `UsageError` if a remote service is named.
 */
export function onLocalDatabase<Result>(
  context: CommandContext,
  work: (location: string) => Promise<Result>,
): Promise<Result> {
  return usingDatabase(locate(context), work);
}

export interface LocalChange<Result> {
  event: AuditEvent['event'];
  /** Confirmation to ask for before anything is done; a function if that depends on what the database has. */
  question?: string | undefined | ((location: string) => Promise<string | undefined>);
  /** Facts about the result for the audit log. */
  factsOf?: (result: Result) => Partial<AuditEvent>;
}

/**
 * Changes the embedded database: names it first, asks `question` if there is one, and writes the change to the audit log. A database
 * without a service is refused before it gets one.
 */
export async function changeLocalDatabase<Result>(
  context: CommandContext,
  { event, question, factsOf }: LocalChange<Result>,
  work: (location: string) => Promise<Result>,
): Promise<Result> {
  const location = locate(context);
  say(context, `Target: database ${shownDatabase(location, context.env)}`);
  const { requireTenant } = await import('../../service/admin/copy-tenants.ts');
  await usingDatabase(location, requireTenant);
  const asked = typeof question === 'function' ? await usingDatabase(location, question) : question;
  if (asked !== undefined) await requireYes(context, asked, 'nothing was changed');
  return usingDatabase(location, () => audited(context, location, { event }, () => work(location), factsOf));
}

/**
 * The database that the options, the environment or a local profile select, or the default one. `elsewhere` is what names a
 * service elsewhere instead, such as `--profile`. A remote profile that is only the current one names nothing.
 */
export function selectedDatabase(
  context: CommandContext,
): { location: string; elsewhere?: undefined } | { location?: undefined; elsewhere: string } {
  const { local, baseUrl, profile, profileName } = readTargetSettings(context);
  if (local) return { location: local.value };
  const of = (origin: Sourced['origin'], option: string, variable: string) => ({
    elsewhere: origin === 'flag' ? option : variable,
  });
  if (
    baseUrl &&
    baseUrl.origin !== 'profile' &&
    (baseUrl.origin === 'flag' || !isLocalAddress(baseUrl.value))
  )
    return of(baseUrl.origin, '--base-url', 'TENANT_USERS_BASE_URL');
  if (profile && profileName.origin !== 'default')
    return of(profileName.origin, '--profile', 'TENANT_USERS_PROFILE');
  return { location: defaultDatabase(context) };
}

/** True for an address of this machine, where the service is probably `serve` on the default database. */
function isLocalAddress(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}

function locate(context: CommandContext): string {
  const { location, elsewhere } = selectedDatabase(context);
  if (location === undefined) {
    throw new UsageError(
      `this command is for the local service only, and ${elsewhere} names a service elsewhere`,
      `Name a database with --local DATABASE instead of ${elsewhere}.`,
    );
  }
  const { local, profileName } = readTargetSettings(context);
  if (local) requireDatabasePlace(context, local, profileName.value);
  warnExposed(context, location);
  return location;
}

/** Runs `work` on a database. Throws a `ConfigurationError` with the hint if that fails, unless the error has a code of its own. */
export async function usingDatabase<Result>(
  location: string,
  work: (location: string) => Promise<Result>,
  hint = 'Use another one with --local DATABASE.',
): Promise<Result> {
  try {
    return await work(location);
  } catch (cause) {
    if (cause instanceof CodedError || cause instanceof ApiError) throw cause;
    throw new ConfigurationError(
      `the database ${shownDatabase(location)} cannot be used: ${reasonOf(cause)}`,
      hintOf(cause) ?? hint,
    );
  }
}

const consequence = `Warning: only serve reaches the users of a database of several tenants. --local no longer does, so jobs
that were imported with it can be neither resumed nor undone.`;

/**
 * Asks before the tenants `ids` make a database of one tenant one of several. Throws a `UsageError` if the answer is no. `refused`: what
 * then did not happen.
 */
export async function askBeforeSecondTenant(
  context: CommandContext,
  location: string,
  ids: readonly string[],
  refused: string,
): Promise<void> {
  const { storedTenants } = await import('../../service/admin/definitions.ts');
  // A database that cannot be read is reported by what writes to it.
  const [only, ...others] = await storedTenants(location).catch(() => []);
  const added = ids.filter((id) => id !== only);
  if (only === undefined || others.length > 0 || added.length === 0) return;
  await requireYes(
    context,
    `Add a second tenant, ${added.join(', ')}, beside ${only}?`,
    refused,
    consequence,
  );
}
