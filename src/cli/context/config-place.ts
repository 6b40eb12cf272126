import { join } from 'node:path';
import { ConfigurationError } from '../errors/errors.ts';
import type { CommandContext } from './context.ts';

type ConfigPlace = Pick<CommandContext, 'options' | 'env' | 'configDirectory'>;

/** Path of the configuration file; `undefined` if there is no place for it: then there is no configuration either. */
export function findConfigFile(context: ConfigPlace): string | undefined {
  try {
    return configFile(context);
  } catch (failure) {
    if (failure instanceof ConfigurationError) return undefined;
    throw failure;
  }
}

/** Path of the configuration file, which may not exist yet. Throws a `ConfigurationError` if there is no place for it. */
export function configFile(context: ConfigPlace): string {
  const { options, env } = context;
  // The directory is asked for only if it is needed: an account may have none.
  return options.config ?? (env.TENANT_USERS_CONFIG || join(context.configDirectory, 'config.json'));
}
