import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptToken } from '../client/token.ts';
import { changeConfig, type Profile, readConfig, type Stored } from './config-file.ts';
import type { Session } from './world.ts';

/** The profiles in the configuration file: mode 0600, replaced whole at each write, one writer at a time. */
export interface Profiles {
  file: string;
  /** Name of the profile that is used when none is named. */
  current: string;
  find(name: string): Profile | undefined;
  /** Stores a profile; the first becomes the current one. */
  save(name: string, profile: Profile): Promise<void>;
  /** The token that is stored with a profile now, if it was obtained with these credentials. */
  loadToken(name: string, obtainedWith: Profile): KeptToken | undefined;
  /** Stores a token with the profile as it stands now, unless that has other credentials meanwhile. */
  saveToken(name: string, obtainedWith: Profile, token: KeptToken): Promise<void>;
}

/** Opens the configuration file of `--config`, `TENANT_USERS_CONFIG` or the platform's directory. */
export function openProfiles(session: Session): Profiles {
  const file = configFile(session);
  const stored = readConfig(file);
  return {
    file,
    current: stored.current ?? 'default',
    find: (name) => profileOf(stored, name),
    save: (name, profile) => changeConfig(file, (latest) => withProfile(latest, name, profile)),
    loadToken: (name, obtainedWith) => sameCredentials(readConfig(file), name, obtainedWith)?.token,
    saveToken: (name, obtainedWith, token) =>
      changeConfig(file, (latest) => {
        const profile = sameCredentials(latest, name, obtainedWith);
        return profile && withProfile(latest, name, { ...profile, token });
      }),
  };
}

function withProfile({ current, profiles }: Stored, name: string, profile: Profile): Stored {
  return { current: current ?? name, profiles: { ...profiles, [name]: profile } };
}

function profileOf({ profiles = {} }: Stored, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

const credentials = ['base_url', 'client_id', 'client_secret'] as const;

function sameCredentials(stored: Stored, name: string, wanted: Profile): Profile | undefined {
  const profile = profileOf(stored, name);
  return credentials.every((field) => profile?.[field] === wanted[field]) ? profile : undefined;
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
