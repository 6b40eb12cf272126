import { existsSync } from 'node:fs';
import { embed, isPostgres, shownDatabase } from '../embed.ts';
import { ConfigurationError } from '../failures.ts';
import type { Session } from '../world.ts';
import { type Finding, failedBy, faulty, fine, skipped } from './check.ts';
import { checkService, skipServices } from './service-checks.ts';

/** The embedded service: its database opens and is whole, its tenants, and the service on top. Makes no database. */
export async function checkEmbedded(session: Session, location: string): Promise<Finding[]> {
  const shown = shownDatabase(location);
  if (location !== ':memory:' && !isPostgres(location) && !existsSync(location)) {
    const missing = fine('database', `${shown} is not there yet; the first command that uses it makes it`);
    const why = 'there is no database yet';
    return [missing, skipped('tenants', why), ...skipServices(why)];
  }
  try {
    const { inspectDatabase } = await import('../../service/inspect-database.ts');
    const { damage, tenants } = await inspectDatabase(location);
    const hint = 'Restore it from a backup, or name another with --local DATABASE.';
    const database =
      damage.length > 0
        ? faulty('database', `${shown} is damaged: ${damage.join('; ')}`, hint)
        : fine('database', `${shown} opens and is whole`);
    const named = fine(
      'tenants',
      tenants.length > 0 ? tenants.join(', ') : 'none yet; the first start makes one',
    );
    if (damage.length > 0) return [database, named, ...skipServices('the database is damaged')];
    return [database, named, ...(await checkService(session, await embed(session, location)))];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const failure = new ConfigurationError(
      `the database ${shown} cannot be used: ${reason}`,
      'Name another with --local DATABASE.',
    );
    const why = 'the database cannot be used';
    return [failedBy('database', failure), skipped('tenants', why), ...skipServices(why)];
  }
}
