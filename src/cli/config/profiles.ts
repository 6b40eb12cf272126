import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, extname } from 'node:path';
import { type AuthStyle, authStyles, type CachedToken } from '../../client/token.ts';
import { isRecord } from '../../contract/is-record.ts';
import { makeDirectory } from '../../migration/directory/make-directory.ts';
import { nearest } from '../../text/edit-distance.ts';
import { errorCode } from '../../text/error-code.ts';
import { normalUrl } from '../../text/locations/normal-url.ts';
import { quoteWord } from '../../text/shell-quote.ts';
import type { CommandContext } from '../context/context.ts';
import { configFile, findConfigFile, homeOr } from '../context/directories.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { withLock } from './lock-file.ts';

/** The stored connection to a tenant or an embedded service. */
export interface Profile {
  base_url?: string;
  client_id?: string;
  client_secret?: string;
  auth_style?: AuthStyle;
  /** Database of the embedded service. */
  local?: string;
  token?: CachedToken;
}

/** The content of the configuration file. */
export interface Stored {
  /** Name of the profile that is used when none is named. */
  current?: string;
  profiles?: Record<string, Profile>;
}

/** Reads the configuration file; empty if there is none. Throws a `ConfigurationError` if it cannot be read or is invalid. */
export function readConfig(file: string): Stored {
  try {
    // Reading a device may never end.
    if (statSync(file).isFile() === false) throw new TypeError('it is not a regular file');
    const stored = parse(readFileSync(file, 'utf8'));
    const fault = faultOf(stored);
    if (fault !== undefined) throw new TypeError(fault);
    return stored as Stored;
  } catch (cause) {
    // If the directory is a file, there is no configuration either.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(cause) ?? '')) return {};
    throw unusable(file, 'read', cause);
  }
}

/**
 * Changes the configuration file, one process at a time. The file is replaced as a whole and private to its owner.
 * `change` gets the current content; if it returns `undefined`, the file stays as it is. Throws a `ConfigurationError`.
 */
async function changeConfig(file: string, change: (stored: Stored) => Stored | undefined) {
  try {
    makeDirectory(dirname(file));
    const Conf = await loadConf();
    await withLock(file, () => {
      const changed = change(readConfig(file));
      if (changed === undefined) return;
      // Where this is set, the library overwrites the file in place. Every program has it in a terminal that a Snap package opened.
      const { SNAP } = process.env;
      delete process.env.SNAP;
      try {
        new Conf<Stored>({
          cwd: dirname(file),
          configName: basename(file, extname(file)),
          fileExtension: extname(file).slice(1),
          configFileMode: 0o600,
          accessPropertiesByDotNotation: false,
          deserialize: parse,
        }).store = changed;
      } finally {
        if (SNAP !== undefined) process.env.SNAP = SNAP;
      }
    });
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw unusable(file, 'written', cause);
  }
}

/** Ignores the byte order mark that Windows editors write; the next change removes it. */
function parse(text: string) {
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}

/**
 * Loads the library that only writing needs. A dependency of it answers each signal by sending it again, which would end the
 * process at once, so its listeners are removed. Those of the lock library must stay: it counts them together with those of
 * prompts and spinners, and sends a signal again if it believes that nobody else listens.
 */
async function loadConf() {
  const listeners = () => process.eventNames().map((name) => [name, process.rawListeners(name)] as const);
  const before = new Map(listeners());
  // Another dependency asks for the home directory, which is not used, and throws if there is none. This is none either.
  if (homeOr(homedir) === '') process.env.HOME = '.';
  const { default: Conf } = await import('conf');
  for (const [name, now] of listeners()) {
    const known = before.get(name) ?? [];
    if (!String(name).startsWith('SIG')) continue;
    for (const listener of now.filter((one) => !known.includes(one))) {
      process.removeListener(name, listener as () => void);
    }
  }
  return Conf;
}

const fits: { [Name in keyof Required<Profile>]: (value: unknown) => boolean } = {
  base_url: isText,
  client_id: isText,
  client_secret: isText,
  auth_style: (value) => (authStyles as readonly unknown[]).includes(value),
  local: isText,
  token: (value) => isRecord(value) && isText(value.access_token) && Number.isFinite(value.expires_at),
};

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Why this is not a configuration. Names the place but never the value, because an edited file may contain anything. */
function faultOf(stored: unknown): string | undefined {
  const isOurs =
    isRecord(stored) &&
    (stored.current === undefined || isText(stored.current)) &&
    (stored.profiles === undefined || isRecord(stored.profiles));
  if (!isOurs) return 'it is not a configuration of this program';
  for (const [name, profile] of Object.entries(stored.profiles ?? {})) {
    const place = `profile ${JSON.stringify(name)}`;
    if (!isRecord(profile)) return `${place} is not an object`;
    for (const [key, isFit] of Object.entries(fits))
      if (profile[key] !== undefined && !isFit(profile[key])) return `${key} of ${place} is not valid`;
  }
  return undefined;
}

function unusable(file: string, done: 'read' | 'written', cause: unknown): ConfigurationError {
  const code = errorCode(cause);
  const reason =
    cause instanceof SyntaxError ? 'it is not JSON' : code || (cause as Error).message || String(cause);
  const hint =
    code === 'ELOCKED'
      ? `Another process is writing it. If none is, remove the directory ${file}.lock`
      : done === 'written'
        ? `Check the permissions of ${dirname(file)}, or use another file with --config.`
        : 'Fix it, or move it away and run: tenant-users login';
  return new ConfigurationError(`the configuration file ${file} cannot be ${done}: ${reason}`, hint);
}

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
    /** Names of all profiles, in the order of the file. */
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

/** Name of the profile that is used when none is named. */
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
