import { join } from 'node:path';
import type { CachedToken } from '../../client/token.ts';
import { nearest } from '../../text/edit-distance.ts';
import { quoteWord } from '../../text/shell-quote.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { changeConfig, type Profile, readConfig, type Stored } from './config-file.ts';

/** The profiles in the configuration file: mode 0600, replaced whole at each write, one writer at a time. */
export interface Profiles {
  file: string;
  /** Name of the profile that is used when none is named; there may be none of that name. */
  current: string;
  /** As the file has them. */
  names: readonly string[];
  find(name: string): Profile | undefined;
  /** Stores a profile, which becomes the current one where there is none. */
  save(name: string, profile: Profile): Promise<void>;
  /** Changes what the file holds at that moment; `undefined` leaves it as it is. */
  change(change: (stored: Stored) => Stored | undefined): Promise<void>;
  /** The token that is stored with a profile now, if it was obtained with these credentials. */
  loadToken(name: string, obtainedWith: Profile): CachedToken | undefined;
  /** Stores a token with the profile as it stands now, unless that has other credentials meanwhile. */
  saveToken(name: string, obtainedWith: Profile, token: CachedToken): Promise<void>;
}

const opened = new WeakMap<CommandContext, Profiles>();

/**
 * The profiles in the configuration file of `--config`, `TENANT_USERS_CONFIG` or the platform's directory. The file is
 * read once for a command, so that all its parts see the same.
 */
export function openProfiles(context: CommandContext): Profiles {
  const known = opened.get(context) ?? readProfiles(configFile(context));
  opened.set(context, known);
  return known;
}

function readProfiles(file: string): Profiles {
  const stored = readConfig(file);
  const change: Profiles['change'] = (make) => changeConfig(file, make);
  return {
    file,
    current: currentName(stored),
    names: Object.keys(stored.profiles ?? {}),
    find: (name) => profileOf(stored, name),
    change,
    save: (name, profile) =>
      change((latest) => {
        const current = currentName(latest);
        return withProfile(
          { ...latest, current: profileOf(latest, current) ? current : name },
          name,
          profile,
        );
      }),
    loadToken: (name, obtainedWith) => sameCredentials(readConfig(file), name, obtainedWith)?.token,
    saveToken: (name, obtainedWith, token) =>
      change((latest) => {
        const profile = sameCredentials(latest, name, obtainedWith);
        return profile && withProfile(latest, name, { ...profile, token });
      }),
  };
}

/** Name of the profile that a configuration uses when none is named. */
export function currentName(stored: Stored): string {
  return stored.current ?? 'default';
}

/** A profile of a configuration by its name, which may be anything. */
export function profileOf({ profiles = {} }: Stored, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** A configuration with a profile more, or with another one under its name. */
export function withProfile(stored: Stored, name: string, profile: Profile): Stored {
  return { ...stored, profiles: { ...stored.profiles, [name]: profile } };
}

const credentials = ['base_url', 'client_id', 'client_secret'] as const;

function sameCredentials(stored: Stored, name: string, wanted: Profile): Profile | undefined {
  const profile = profileOf(stored, name);
  return credentials.every((field) => profile?.[field] === wanted[field]) ? profile : undefined;
}

/** Where the configuration is, or will be. */
export function configFile({
  options,
  env,
  configDirectory,
}: Pick<CommandContext, 'options' | 'env' | 'configDirectory'>): string {
  return options.config ?? (env.TENANT_USERS_CONFIG || join(configDirectory, 'config.json'));
}

/** There is no profile of that name: names those there are, and the one that was probably meant. */
export function unknownProfile(name: string, known: readonly string[], namedBy = ''): ConfigurationError {
  const meant = nearest(name, known);
  const hints = [
    ...(meant === undefined ? [] : [`Did you mean ${JSON.stringify(meant)}?`]),
    ...(known.length === 0 ? [] : [`Available: ${known.map((one) => JSON.stringify(one)).join(', ')}.`]),
    `Create it with: tenant-users login --profile ${quoteWord(name)}`,
  ];
  const named = namedBy && ` (named by ${namedBy})`;
  return new ConfigurationError(`there is no profile ${JSON.stringify(name)}${named}`, hints.join('\n'));
}
