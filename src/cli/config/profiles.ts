import type { CachedToken } from '../../client/token.ts';
import { nearest } from '../../text/edit-distance.ts';
import { normalUrl } from '../../text/normal-url.ts';
import { quoteWord } from '../../text/shell-quote.ts';
import type { CommandContext } from '../context/context.ts';
import { configFile, findConfigFile } from '../context/directories.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { changeConfig, type Profile, readConfig, type Stored } from './config-file.ts';

/** The profiles in the configuration file: mode 0600, replaced as a whole at each write, one writer at a time. */
export type Profiles = ReturnType<typeof readProfiles>;

const opened = new WeakMap<CommandContext, Profiles>();

/**
 * Opens the configuration file of `--config`, `TENANT_USERS_CONFIG` or the platform's directory. The file is read once
 * per command, so that all parts of the command see the same profiles.
 */
export function openProfiles(context: CommandContext): Profiles {
  const known = opened.get(context) ?? readProfiles(context);
  opened.set(context, known);
  return known;
}

function readProfiles(context: CommandContext) {
  const found = findConfigFile(context);
  const stored = found === undefined ? {} : readConfig(found);
  const change = (make: (stored: Stored) => Stored | undefined) => changeConfig(configFile(context), make);
  return {
    /** Path of the file. Throws a `ConfigurationError` if there is no place for it: before anything is asked, if it is read first. */
    get file() {
      return configFile(context);
    },
    /** Name of the profile that is used if none is named; it may not exist. */
    current: currentName(stored),
    names: Object.keys(stored.profiles ?? {}),
    find: (name: string) => profileOf(stored, name),
    /** Changes the content that the file has at that moment. If `make` returns `undefined`, the file stays as it is. */
    change,
    /** Stores a profile, which becomes the current one if there is none. */
    save: (name: string, profile: Profile) =>
      change((latest) => {
        const current = currentName(latest);
        const chosen = profileOf(latest, current) ? current : name;
        return withProfile({ ...latest, current: chosen }, name, profile);
      }),
    /** The token that is stored with a profile now, if the profile still has these credentials. */
    loadToken: (name: string, obtainedWith: Profile) =>
      sameCredentials(readConfig(configFile(context)), name, obtainedWith)?.token,
    /** Stores a token with a profile, unless its credentials have changed meanwhile. */
    saveToken: (name: string, obtainedWith: Profile, token: CachedToken) =>
      change((latest) => {
        const profile = sameCredentials(latest, name, obtainedWith);
        return profile && withProfile(latest, name, { ...profile, token });
      }),
  };
}

export function currentName(stored: Stored): string {
  return stored.current ?? 'default';
}

/** Finds a profile of a configuration by its name, which can be any text; its base URL is in normal form. */
export function profileOf({ profiles = {} }: Stored, name: string): Profile | undefined {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  return profile?.base_url === undefined ? profile : { ...profile, base_url: normalUrl(profile.base_url) };
}

export function withProfile(stored: Stored, name: string, profile: Profile): Stored {
  return { ...stored, profiles: { ...stored.profiles, [name]: profile } };
}

const credentials = ['base_url', 'client_id', 'client_secret'] as const;

function sameCredentials(stored: Stored, name: string, wanted: Profile): Profile | undefined {
  const profile = profileOf(stored, name);
  return credentials.every((field) => profile?.[field] === wanted[field]) ? profile : undefined;
}

/** The error for a profile that does not exist: names the existing ones, and the one that was probably meant. */
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

/** What is shown of a token: never the token itself. */
export function shownToken({ expires_at, scope }: CachedToken) {
  return { expires_at: new Date(expires_at).toISOString(), scope };
}
