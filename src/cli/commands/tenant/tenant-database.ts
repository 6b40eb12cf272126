import { shownDatabase } from '../../../text/database-location.ts';
import { defaultDatabase, readSettings } from '../../config/settings.ts';
import type { CommandContext } from '../../context/context.ts';
import { ConfigurationError, UsageError } from '../../errors/errors.ts';
import { systemFaultOf } from '../../errors/system-fault.ts';

/**
 * Works on the embedded database: that of `--local`, of the environment, of a local profile, or the default one.
 * Throws `ConfigurationError` when it cannot be used, `UsageError` for a remote service.
 */
export async function onTenantDatabase<Result>(
  context: CommandContext,
  work: (location: string) => Promise<Result>,
): Promise<{ location: string; shown: string; result: Result }> {
  if (context.options.baseUrl !== undefined) {
    throw new UsageError(
      'tenant definitions are for the local service only',
      'Remove --base-url; use --local DATABASE to name a database.',
    );
  }
  const location = readSettings(context).local?.value ?? defaultDatabase(context);
  const shown = shownDatabase(location);
  try {
    return { location, shown, result: await work(location) };
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    const reason = systemFaultOf(cause)?.reason ?? (cause instanceof Error ? cause.message : String(cause));
    throw new ConfigurationError(
      `the database ${shown} cannot be used: ${reason}`,
      'Use another one with --local DATABASE.',
    );
  }
}
