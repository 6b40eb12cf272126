import { readTargetSettings } from '../config/settings.ts';
import { runFacts } from '../connection/connect.ts';
import type { CommandContext } from '../context/context.ts';
import type { LogEntry } from './read-log.ts';

/**
 * Returns whether a logged change or run was in the tenant that an option selects; true for all without such an option, whatever the
 * environment says. Throws a `ConfigurationError` if the option selects no tenant.
 */
export function ofSelectedTenant(
  context: CommandContext,
): (begun: Pick<LogEntry['begun'], 'target'>) => boolean {
  const { profile, baseUrl, local } = context.options;
  if (profile === undefined && baseUrl === undefined && local === undefined) return () => true;
  readTargetSettings(context);
  // An address without a client id means all applications there.
  const known = Object.entries(runFacts(context).target).filter(([, value]) => value !== '');
  return ({ target }) => known.every(([name, value]) => target[name] === value);
}
