import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import Conf from 'conf';
import type { KeptToken } from '../client/token.ts';
import type { AuthStyle } from '../client/token-request.ts';
import { ConfigurationError } from './failures.ts';
import type { Session } from './world.ts';

/** A tenant, or an embedded service, under a name. */
export interface Profile {
  base_url?: string;
  client_id?: string;
  client_secret?: string;
  auth_style?: AuthStyle;
  /** Database of the embedded service. */
  local?: string;
  token?: KeptToken;
}

interface Stored {
  current?: string;
  profiles?: Record<string, Profile>;
}

/** The profiles in the configuration file: mode 0600, replaced whole at each write. */
export interface Profiles {
  file: string;
  /** Name of the profile that is used when none is named. */
  current: string;
  find(name: string): Profile | undefined;
  /** Stores a profile; the first becomes the current one. */
  save(name: string, profile: Profile): void;
  /** Stores a token with the profile as it stands now, unless that has other credentials meanwhile. */
  saveToken(name: string, obtainedWith: Profile, token: KeptToken): void;
}

/** Opens the configuration file of `--config`, `TENANT_USERS_CONFIG` or the platform's directory. */
export function openProfiles(session: Session): Profiles {
  const file = configFile(session);
  // Without a file there is nothing to read, and a mere look must not make one.
  const stored = existsSync(file) ? openConf(file).store : {};

  function save(name: string, profile: Profile): void {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const conf = openConf(file);
    const { current = name, profiles } = conf.store;
    conf.store = { current, profiles: { ...profiles, [name]: profile } };
  }

  return {
    file,
    current: stored.current ?? 'default',
    find: (name) => profileOf(stored, name),
    save,
    saveToken(name, obtainedWith, token) {
      const latest = existsSync(file) ? profileOf(openConf(file).store, name) : undefined;
      const same = credentials.every((field) => latest?.[field] === obtainedWith[field]);
      if (latest && same) save(name, { ...latest, token });
    },
  };
}

const credentials = ['base_url', 'client_id', 'client_secret'] as const;

function profileOf({ profiles = {} }: Stored, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** Where the configuration is, or will be. */
export function configFile({ options, env, configDirectory }: Session): string {
  return options.config ?? (env.TENANT_USERS_CONFIG || join(configDirectory, 'config.json'));
}

/** What is wrong with the file's permissions, if others than its owner may read it. */
export function loosePermissions(file: string): string | undefined {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return undefined;
  return `${file} can be read by others; mend it with: chmod 600 ${file}`;
}

function openConf(file: string): Conf<Stored> {
  try {
    const conf = new Conf<Stored>({
      cwd: dirname(file),
      configName: basename(file, extname(file)),
      fileExtension: extname(file).slice(1),
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    if (!isStored(conf.store)) throw new TypeError('it holds something else');
    return conf;
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'it is not JSON' : messageOf(cause);
    throw new ConfigurationError(
      `the configuration file ${file} cannot be read: ${reason}`,
      'Mend it, or move it away and run: tenant-users login',
    );
  }
}

/** A file that somebody has edited may hold anything. */
function isStored({ current, profiles }: { [Key in keyof Stored]: unknown }): boolean {
  const named = Object.values(profiles ?? {});
  return (
    (current === undefined || typeof current === 'string') &&
    (profiles === undefined || isRecord(profiles)) &&
    named.every(isRecord)
  );
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
