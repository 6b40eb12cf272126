import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import type { KeptToken } from '../client/token.ts';
import type { AuthStyle } from '../client/token-request.ts';
import { ConfigurationError } from './failures.ts';

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

/** What the configuration file holds. */
export interface Stored {
  /** Name of the profile that is used when none is named. */
  current?: string;
  profiles?: Record<string, Profile>;
}

/** Reads the configuration file; empty where there is none. Throws `ConfigurationError` for what is no configuration. */
export function readConfig(file: string): Stored {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isStored(stored)) throw new TypeError('it holds something else');
    return stored;
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return {};
    throw unusable(file, 'read', cause);
  }
}

/**
 * Changes the configuration file: only one process at a time, the file replaced whole, for its owner's eyes only. The
 * change is given what the file holds at that moment; `undefined` leaves it as it is. Throws `ConfigurationError`.
 */
export async function changeConfig(
  file: string,
  change: (stored: Stored) => Stored | undefined,
): Promise<void> {
  const { lock, Conf } = await loadWriters();
  let release: (() => Promise<void>) | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    release = await lock(file, { realpath: false, retries: patience, stale: 5000 });
    const changed = change(readConfig(file));
    if (changed === undefined) return;
    new Conf<Stored>({
      cwd: dirname(file),
      configName: basename(file, extname(file)),
      fileExtension: extname(file).slice(1),
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    }).store = changed;
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw unusable(file, 'written', cause);
  } finally {
    await release?.();
  }
}

/** How long to wait for other processes: some ten seconds in all, at first in short steps. */
const patience = { retries: 60, factor: 1.3, minTimeout: 5, maxTimeout: 250, randomize: true };

/**
 * Loads what only writing needs. A library below `conf` answers each signal by sending it again, which would end the
 * process at once: its listeners are taken back.
 */
async function loadWriters() {
  const listeners = () => process.eventNames().map((name) => [name, process.rawListeners(name)] as const);
  const before = new Map(listeners());
  const [{ default: Conf }, { lock }] = await Promise.all([import('conf'), import('proper-lockfile')]);
  for (const [name, now] of listeners()) {
    const known = before.get(name) ?? [];
    if (!String(name).startsWith('SIG')) continue;
    for (const listener of now.filter((one) => !known.includes(one))) {
      process.removeListener(name, listener as () => void);
    }
  }
  return { Conf, lock };
}

/** A file that somebody has edited may hold anything. */
function isStored(value: unknown): value is Stored {
  if (!isRecord(value)) return false;
  const { current, profiles } = value;
  return (
    (current === undefined || typeof current === 'string') &&
    (profiles === undefined || (isRecord(profiles) && Object.values(profiles).every(isRecord)))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unusable(file: string, done: 'read' | 'written', cause: unknown): ConfigurationError {
  const reason =
    cause instanceof SyntaxError
      ? 'it is not JSON'
      : codeOf(cause) || (cause as Error).message || String(cause);
  return new ConfigurationError(
    `the configuration file ${file} cannot be ${done}: ${reason}`,
    'Mend it, or move it away and run: tenant-users login',
  );
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
