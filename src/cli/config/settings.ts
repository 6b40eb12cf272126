import { dirname, join } from 'node:path';
import type { AuthStyle } from '../../client/token.ts';
import { refusedLocation } from '../../text/locations/database-location.ts';
import { normalUrl } from '../../text/locations/normal-url.ts';
import type { CommandContext } from '../context/context.ts';
import { configFile, findConfigFile } from '../context/directories.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { openProfiles, type Profile, type Profiles, unknownProfile } from './profiles.ts';

/** Where a value came from, in order of precedence. */
export type Origin = 'flag' | 'environment' | 'profile' | 'default';

/** A value of a setting, and where it came from. */
export interface Sourced {
  value: string;
  origin: Origin;
}

/** The settings that a command needs to reach the service; `undefined` if they are not set. */
export interface Settings {
  profiles: Profiles;
  profileName: Sourced;
  profile: Profile | undefined;
  /** Database of the embedded service; `undefined` if that is not used. */
  local: Sourced | undefined;
  /** Why variables or the profile select no tenant; `readTargetSettings` throws it. */
  fault?: unknown;
  baseUrl: Sourced | undefined;
  clientId: Sourced | undefined;
  clientSecret: Sourced | undefined;
  authStyle: { value: AuthStyle; origin: 'profile' | 'default' };
}

/** Reads the settings of a command that needs a tenant. Throws a `ConfigurationError` if they select none. */
export function readTargetSettings(context: CommandContext): Settings {
  const settings = readSettings(context);
  if (settings.fault) throw settings.fault;
  return settings;
}

/**
 * Reads each setting from the first of flag, environment, profile and default that has it. Throws a `ConfigurationError` if the
 * configuration cannot be read or the profile does not exist.
 */
export function readSettings(context: CommandContext): Settings {
  const { options, env } = context;
  const profiles = openProfiles(context);
  const profileName = firstOf(['flag', options.profile], ['environment', env.TENANT_USERS_PROFILE]) ?? {
    value: profiles.current,
    origin: 'default',
  };
  const profile = profiles.find(profileName.value);
  if (!profile && profileName.origin !== 'default') requireProfile(context, profiles, profileName);
  // A profile that is typed means its tenant, whatever the environment says.
  const typed = profileName.origin === 'flag' ? profile : undefined;
  const found = firstOf(
    ['flag', options.baseUrl],
    ['profile', typed?.base_url],
    ['environment', env.TENANT_USERS_BASE_URL],
    ['profile', profile?.base_url],
  );
  const baseUrl = found && { ...found, value: normalUrl(found.value) };
  // The credentials of a profile belong to its own base URL, and are never sent to another one.
  const own = baseUrl?.value === profile?.base_url ? profile : undefined;
  const ours = typed ? credentialsFor(env, baseUrl?.value, own?.client_id) : credentialsOf(env);
  return {
    profiles,
    profileName,
    profile,
    ...localOf(context, profile, typed !== undefined),
    baseUrl,
    clientId: firstOf(
      ['profile', typed && own?.client_id],
      ['environment', ours.clientId],
      ['profile', own?.client_id],
    ),
    clientSecret: firstOf(
      ['profile', typed && own?.client_secret],
      ['environment', ours.clientSecret],
      ['profile', own?.client_secret],
    ),
    authStyle: own?.auth_style
      ? { value: own.auth_style, origin: 'profile' }
      : { value: 'query', origin: 'default' },
  };
}

interface Credentials {
  clientId?: string | undefined;
  clientSecret?: string | undefined;
}

/** The credentials of the environment. A line break after the secret comes from the file that it was in. */
export function credentialsOf(env: CommandContext['env']): Credentials {
  const { TENANT_USERS_CLIENT_ID: clientId, TENANT_USERS_CLIENT_SECRET: secret } = env;
  return { clientId, clientSecret: secret?.replace(/\r?\n$/, '') };
}

/**
 * The credentials of the environment, unless its address or client id says that they are another tenant's. `clientId`: the
 * id that is used in any case; without it, that of the environment.
 */
export function credentialsFor(
  env: CommandContext['env'],
  baseUrl: string | undefined,
  clientId: string | undefined,
): Credentials {
  const { TENANT_USERS_BASE_URL: address, TENANT_USERS_CLIENT_ID: id } = env;
  const isOther = (address && normalUrl(address) !== baseUrl) || (id && clientId && id !== clientId);
  return isOther ? {} : credentialsOf(env);
}

/** Default database of the embedded service. Throws a `ConfigurationError` if there is no place for it. */
export function defaultDatabase(context: CommandContext): string {
  return join(dirname(configFile(context)), 'local.db');
}

/** True for the default database, also if it is named. */
export function isDefaultDatabase(context: CommandContext, location: string): boolean {
  return findConfigFile(context) !== undefined && location === defaultDatabase(context);
}

/** Throws if the named profile does not exist, unless the environment names it and has all credentials, or `--local` is given. */
function requireProfile(context: CommandContext, { names }: Profiles, { value, origin }: Sourced): void {
  const complete = context.env.TENANT_USERS_CLIENT_ID && context.env.TENANT_USERS_CLIENT_SECRET;
  // A name that is typed means that tenant, and the environment's credentials would be for another one.
  if ((complete && origin !== 'flag') || context.options.local !== undefined) return;
  throw unknownProfile(value, names, origin === 'flag' ? '--profile' : 'TENANT_USERS_PROFILE');
}

/** The database of the embedded service, or why there is none: a command that needs no tenant must not fail for that. */
function localOf(...which: Parameters<typeof findLocal>): Pick<Settings, 'local' | 'fault'> {
  try {
    return { local: findLocal(...which) };
  } catch (fault) {
    return { local: undefined, fault };
  }
}

function findLocal(
  context: CommandContext,
  profile: Profile | undefined,
  isTyped: boolean,
): Sourced | undefined {
  const { options, env } = context;
  if (options.local === true) return { value: defaultDatabase(context), origin: 'flag' };
  if (options.local !== undefined) return { value: options.local, origin: 'flag' };
  if (options.baseUrl !== undefined) return undefined;
  const { TENANT_USERS_LOCAL: local } = env;
  if (local && !isTyped) {
    if (env.TENANT_USERS_BASE_URL) {
      throw new ConfigurationError(
        'TENANT_USERS_LOCAL and TENANT_USERS_BASE_URL are both set, which are different tenants',
        'Unset one of them, or choose with --local, --base-url or --profile.',
      );
    }
    if (/^(?:0|false|no|off|true|yes|on)$/i.test(local)) {
      throw new ConfigurationError(
        `TENANT_USERS_LOCAL is ${local}, which is not the name of a database`,
        'Set it to 1 for the default database, or to a file. To use another tenant, unset it.',
      );
    }
    requireDatabase('TENANT_USERS_LOCAL', local);
    return { value: local === '1' ? defaultDatabase(context) : local, origin: 'environment' };
  }
  if (env.TENANT_USERS_BASE_URL && !isTyped) return undefined;
  if (profile?.local) requireDatabase('the database of the profile', profile.local);
  return firstOf(['profile', profile?.local]);
}

/** Throws a `ConfigurationError` for a location that cannot be a database, which would otherwise look like an empty one. */
function requireDatabase(where: string, location: string): void {
  const refused = refusedLocation(location);
  if (refused) throw new ConfigurationError(`${where}: ${refused.reason}`, refused.hint);
}

function firstOf(...candidates: [Origin, string | undefined][]): Sourced | undefined {
  for (const [origin, value] of candidates) if (value) return { value, origin };
  return undefined;
}
