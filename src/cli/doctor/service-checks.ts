import { noTotal } from '../../client/calls.ts';
import type { Client, ClientOptions } from '../../client/client.ts';
import { NetworkError } from '../../client/errors.ts';
import type { Exchange } from '../../client/exchange.ts';
import { formatCount } from '../../text/format-count.ts';
import { isMissingFile, shownDatabase } from '../../text/locations/database-location.ts';
import type { Sourced } from '../config/settings.ts';
import { openClient } from '../connection/connect.ts';
import { embed, requireDatabasePlace } from '../connection/embedded-service.ts';
import { usingDatabase } from '../connection/local-database.ts';
import type { CommandContext } from '../context/context.ts';
import { type CheckResult, failedBy, faulty, fine, skipped, warned } from './check.ts';

const names = ['service', 'clock', 'token', 'users'] as const;
/** Largest difference between the clocks, in seconds, that does not affect tokens and tickets. */
const mostSkew = 30;

/** Checks whether the API answers, its clock, a fresh token, and a page of users. Neither uses nor replaces a stored token. */
export async function checkService(context: CommandContext, target: ClientOptions): Promise<CheckResult[]> {
  const seen: (Exchange & { at: number })[] = [];
  const onExchange = (exchange: Exchange) => void seen.push({ ...exchange, at: context.now() });
  const { tokenStore: _stored, ...rest } = target;
  const client = await openClient(context, { ...rest, onExchange });
  const failure = await client.obtainToken().then(
    () => undefined,
    (cause: unknown) => cause ?? 'refused',
  );
  const last = seen.at(-1);
  const clock = last ? clockCheck(last, last.at) : skipped('clock', 'the service sent no date');
  if (failure instanceof NetworkError) {
    return [failedBy('service', failure), clock, ...skipServices('the service is unreachable').slice(2)];
  }
  const took = Math.round(last?.milliseconds ?? 0);
  const service = fine('service', `it answers in ${took} ms`);
  if (failure !== undefined) {
    return [service, clock, failedBy('token', failure), skipped('users', 'there is no token')];
  }
  const { expires_at, scope } = await client.obtainToken();
  const until = new Date(expires_at).toISOString();
  const token = fine('token', `obtained, valid until ${until}, scope ${JSON.stringify(scope ?? '')}`);
  return [service, clock, token, await checkUsers(client)];
}

/** All of these checks as skipped, for when there is no service to call. */
export function skipServices(why: string): CheckResult[] {
  return names.map((name) => skipped(name, why));
}

async function checkUsers(client: Client): Promise<CheckResult> {
  try {
    const { total } = await client.listUsers({ offset: 0, limit: 10 });
    if (total !== null) return fine('users', `the tenant has ${formatCount(total, 'user')}`);
    return warned(
      'users',
      noTotal,
      'No listing of this tenant counts as complete. Ask those who run the service for the total.',
    );
  } catch (failure) {
    return failedBy('users', failure);
  }
}

function clockCheck({ date, milliseconds }: Exchange, at: number): CheckResult {
  if (date === undefined || Number.isNaN(date)) return skipped('clock', 'the service sent no date');
  // The header has whole seconds, and was written about half-way through the exchange.
  const skew = Math.round((at - milliseconds / 2 - date - 500) / 1000);
  if (Math.abs(skew) <= mostSkew) return fine('clock', `within ${mostSkew} seconds of that of the service`);
  const direction = skew > 0 ? 'ahead of' : 'behind';
  return warned(
    'clock',
    `this machine is ${Math.abs(skew)} seconds ${direction} the service`,
    'Set the clock (NTP): tokens, tickets and certificates depend on it.',
  );
}

/** Checks that the embedded database opens and is intact, its tenants, and then the service itself. Never creates a database. */
export async function checkEmbedded(context: CommandContext, local: Sourced, profile: string) {
  const { value: location } = local;
  const shown = shownDatabase(location, context.env);
  if (isMissingFile(location)) {
    const why = 'there is no database yet';
    return [missingCheck(context, local, profile), skipped('tenants', why), ...skipServices(why)];
  }
  try {
    const { inspectDatabase } = await import('../../service/admin/definitions.ts');
    const { damage, tenants } = await usingDatabase(location, inspectDatabase);
    const hint = 'Restore it from a backup, or name another with --local DATABASE.';
    const database =
      damage.length > 0
        ? faulty('database', `${shown} is damaged: ${damage.join('; ')}`, hint)
        : fine('database', `${shown} opens and is intact`);
    const named = fine(
      'tenants',
      tenants.length > 0 ? tenants.join(', ') : 'none yet; the first start creates one',
    );
    if (damage.length > 0) return [database, named, ...skipServices('the database is damaged')];
    return [database, named, ...(await checkService(context, await embed(context, location)))];
  } catch (failure) {
    const why = 'the database cannot be used';
    return [failedBy('database', failure), skipped('tenants', why), ...skipServices(why)];
  }
}

/** The check of a database that does not exist: it fails if no command would create it. */
function missingCheck(context: CommandContext, local: Sourced, profile: string): CheckResult {
  try {
    requireDatabasePlace(context, local, profile);
  } catch (failure) {
    return failedBy('database', failure);
  }
  const shown = shownDatabase(local.value, context.env);
  return fine('database', `${shown} does not exist yet; the first command that uses it creates it`);
}
