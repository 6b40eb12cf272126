import { isAbsolute, join } from 'node:path';
import { ConfigurationError } from '../errors/errors.ts';
import type { CommandContext, ProcessContext } from './context.ts';

/** The variables of the two directories and where these are in the home directory, by platform. */
const places = {
  win32: {
    config: { variable: 'APPDATA', within: ['AppData', 'Roaming'] },
    state: { variable: 'LOCALAPPDATA', within: ['AppData', 'Local'] },
  },
  others: {
    config: { variable: 'XDG_CONFIG_HOME', within: ['.config'] },
    state: { variable: 'XDG_STATE_HOME', within: ['.local', 'state'] },
  },
} as const;

/**
 * The directories of the platform for configuration and state. Each is found when it is used, because an account in a container
 * may have no home directory (`home` throws): then a `ConfigurationError` is thrown, as for one that is not absolute.
 */
export function ownDirectories(
  env: ProcessContext['env'],
  home: () => string,
  platform: string = process.platform,
): Pick<ProcessContext, 'configDirectory' | 'stateDirectory'> {
  const { config, state } = places[platform === 'win32' ? 'win32' : 'others'];
  const find = ({ variable, within }: typeof config | typeof state, what: string, hint: string) => {
    const base = env[variable] || join(homeOr(home), ...within);
    if (isAbsolute(base)) return join(base, 'tenant-users');
    const reason = env[variable]
      ? `${variable} is not an absolute path`
      : 'this account has no home directory with an absolute path';
    throw new ConfigurationError(
      `there is no place for ${what}: ${reason}`,
      `${hint} ${variable} to an absolute path.`,
    );
  };
  return {
    get configDirectory() {
      return find(config, 'the configuration', 'Name the file with --config, or set');
    },
    get stateDirectory() {
      return find(state, 'the log', 'Set');
    },
  };
}

/** The home directory; an empty text if the system knows none. */
export function homeOr(home: () => string): string {
  try {
    return home();
  } catch {
    return '';
  }
}

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
