import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { nearest } from '../../../../text/edit-distance.ts';
import { errorCode } from '../../../../text/error-code.ts';
import { readPostgresAddress, sslModeOf } from '../../../../text/locations/postgres-address.ts';
import { StoreError } from '../store-error.ts';

/** How to reach a server: a connection is tried at each candidate in turn. */
export type Addresses = ReturnType<typeof readAddresses>;

/** What a session must be able to do. */
export type SessionKind = 'any' | 'read-write' | 'primary';

/** Milliseconds to connect, or to wait for a connection of the pool. */
const defaultTimeout = 10_000;
/**
 * Milliseconds within which a statement must be answered: longer than the limits of a transaction (`attempt.ts`), so that a server
 * that works says itself what is in the way.
 */
const defaultAnswerTimeout = 30_000;

/** Reads the address of one server, or of several, one of which can be written to. Throws `StoreError`. */
export function readAddresses(address: string, env: NodeJS.ProcessEnv) {
  const read = readPostgresAddress(address);
  if (!read)
    throw new StoreError(
      'the PostgreSQL URL is malformed: in a name or a password, write @ as %40, / as %2F, ? as %3F and # as %23',
    );
  const { hosts, parameters, ...identity } = read;
  refuseMisspelt(parameters);
  const { sslmode: _, ssl: __, sslrootcert, sslcert, sslkey, ...unread } = parameters;
  const { target_session_attrs, connect_timeout, answer_timeout, ...others } = unread;
  const tls = tlsOf(sslModeOf(parameters, env), {
    ...(sslrootcert && sslrootcert !== 'system' ? { ca: pemOf('sslrootcert', sslrootcert) } : {}),
    ...(sslcert ? { cert: pemOf('sslcert', sslcert) } : {}),
    ...(sslkey ? { key: pemOf('sslkey', sslkey) } : {}),
  });
  // The driver takes a part that is missing or empty from the environment.
  const candidates = hosts.flatMap((place) =>
    (place.host.startsWith('/') ? [false as const] : tls).map((ssl) => ({
      ...others,
      ...identity,
      ...place,
      ssl,
    })),
  );
  return {
    candidates,
    session: sessionOf(target_session_attrs ?? env.PGTARGETSESSIONATTRS, hosts.length),
    timeout:
      timeoutOf('connect_timeout', connect_timeout) ??
      timeoutOf('PGCONNECT_TIMEOUT', env.PGCONNECT_TIMEOUT) ??
      defaultTimeout,
    answerTimeout: timeoutOf('answer_timeout', answer_timeout) ?? defaultAnswerTimeout,
  };
}

/** Parameters that are read here, and one that other programs read. */
const known = [
  ...['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey', 'sslcrl'],
  ...['target_session_attrs', 'connect_timeout', 'answer_timeout'],
];

/** Throws for a parameter that is nearly one of these: others are for the driver, or for other programs. */
function refuseMisspelt(parameters: Record<string, string>): void {
  for (const name of Object.keys(parameters)) {
    const meant = nearest(name, known);
    if (meant !== undefined && meant !== name)
      throw new StoreError(`the PostgreSQL URL has a parameter ${name}; did you mean ${meant}?`);
  }
}

/** The longest time that a timer can wait, in milliseconds; it does not wait at all if it is given more. */
const longestTimeout = 2 ** 31 - 1;

/** Reads a setting in seconds, as milliseconds; `undefined` if it is not given, or 0, which programs of PostgreSQL accept. */
function timeoutOf(name: string, seconds = ''): number | undefined {
  if (Number.isNaN(Number(seconds))) throw new StoreError(`${name}=${seconds} is not a number of seconds`);
  return Number(seconds) > 0 ? Math.min(Number(seconds) * 1000, longestTimeout) : undefined;
}

/** Reads the file that a parameter names. The error names it too, because it would otherwise look like a fault of the database. */
function pemOf(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const reason = errorCode(cause) ?? (cause as Error).message;
    throw new StoreError(`${parameter}=${file} cannot be read (${reason}); name a file in PEM form`);
  }
}

type Tls = ConnectionOptions | false;

/** TLS settings to try for each `sslmode`, in this order. */
const modes: Readonly<Record<string, (files: ConnectionOptions) => Tls[]>> = {
  disable: () => [false],
  allow: (files) => [false, { ...files, rejectUnauthorized: false }],
  prefer: (files) => [{ ...files, rejectUnauthorized: false }, false],
  // If an authority is given, it is used.
  require: (files) => (files.ca ? anyName(files) : [{ ...files, rejectUnauthorized: false }]),
  'no-verify': (files) => [{ ...files, rejectUnauthorized: false }],
  'verify-ca': anyName,
  'verify-full': (files) => [files],
};

function anyName(files: ConnectionOptions): Tls[] {
  // From a public authority, anybody can get a certificate for some name.
  if (!files.ca)
    throw new StoreError('sslmode=verify-ca needs sslrootcert=FILE, the authority that is trusted');
  return [{ ...files, checkServerIdentity: () => undefined }];
}

function tlsOf(mode: string, files: ConnectionOptions): Tls[] {
  const make = Object.hasOwn(modes, mode) ? modes[mode] : undefined;
  if (make) return make(files);
  throw new StoreError(`sslmode=${mode} is not known: use ${Object.keys(modes).join(', ')}`);
}

/** If there are several hosts, all but one are usually standbys, which cannot be written to. */
function sessionOf(wanted: string | undefined, hosts: number): SessionKind {
  const kind = wanted ?? (hosts > 1 ? 'read-write' : 'any');
  if (kind === 'any' || kind === 'read-write' || kind === 'primary') return kind;
  throw new StoreError(
    `target_session_attrs=${kind} finds no server to write to: use read-write, primary or any`,
  );
}
