import type { Client, ClientOptions } from '../../client/client.ts';
import type { Exchange, OnExchange } from '../../client/exchange.ts';
import type { TokenStore } from '../../client/token.ts';
import { shownDatabase } from '../../text/locations/database-location.ts';
import { realDatabase } from '../../text/locations/real-path.ts';
import { printable } from '../../text/printable.ts';
import { checkBaseUrl, isLoopback } from '../config/base-url.ts';
import { loosePermissions } from '../config/permissions.ts';
import { proxyOf } from '../config/proxy.ts';
import { readSettings, readTargetSettings, type Settings, type Sourced } from '../config/settings.ts';
import type { CommandContext } from '../context/context.ts';
import { version } from '../context/version.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { isHeaderText } from '../input/option-parsers.ts';
import { say, warn } from '../output/show.ts';
import { embed, embeddedService, requireEarlierDatabase, sayWhenNew } from './embedded-service.ts';

/**
 * Connects to the service that flags, environment and profile select, or to the embedded one. `isKnown`: the tenant is that of
 * earlier records, so no database is made for it.
 */
export async function connect(
  context: CommandContext,
  { isKnown = false, ...more }: { connections?: number; isKnown?: boolean } = {},
): Promise<Client> {
  const settings = readTargetSettings(context);
  if (isKnown) requireEarlierDatabase(settings);
  const target = await configuredTarget(context, settings);
  return openClient(context, { ...target, ...more });
}

/** The service that the settings select; an embedded one is opened. */
export async function configuredTarget(context: CommandContext, settings: Settings): Promise<ClientOptions> {
  const { local } = settings;
  if (!local) return remote(context, settings);
  sayWhenNew(context, local, settings.profileName.value);
  return embed(context, local.value);
}

/** Creates a client that is closed when the command ends, and soon after a signal. */
export async function openClient(context: CommandContext, target: ClientOptions): Promise<Client> {
  const { createClient } = await import('../../client/client.ts');
  // An interrupted command has been cleaned up already, and a client that is opened now would still send.
  if (!context.handlesSignals) context.signal.throwIfAborted();
  const client = createClient({
    ...target,
    timeout: context.options.timeout,
    onExchange: traceOf(context, target.onExchange),
    now: context.now,
    clock: context.clock,
  });
  context.onExit(() => client.close());
  // A command that waits for answers must also end if the service gives none.
  context.signal.addEventListener('abort', () => void setTimeout(() => client.close(), grace).unref());
  return client;
}

/** Milliseconds that requests under way have to be answered after a signal. The explanations of exit codes name it too. */
const grace = 1500;

/** The configured service and its proxy. Throws an error that says what is missing, and how to fix it. */
function remote(context: CommandContext, settings: Settings): ClientOptions {
  const target = directTarget(context, settings);
  const { clientSecret, profiles } = settings;
  const loose = clientSecret?.origin === 'profile' ? loosePermissions(profiles.file) : [];
  for (const reason of loose) warn(context, reason);
  return { ...target, ...proxyOf(target.baseUrl, context.env) };
}

/** Like `remote`, but without the proxy and without warnings about loose permissions. */
export function directTarget(context: CommandContext, settings: Settings): ClientOptions {
  const { baseUrl, clientId, clientSecret, authStyle, profile, profiles, profileName } = settings;
  // Checked before it is shown: a URL may contain a password.
  const address = baseUrl && checkBaseUrl(baseUrl);
  if (address === undefined || !clientId || !clientSecret) {
    const missing = address === undefined ? 'base URL' : !clientId ? 'client id' : 'client secret';
    const whose = address ?? `profile ${JSON.stringify(profileName.value)}`;
    const others =
      !profile && address === undefined ? profiles.names.map((name) => JSON.stringify(name)).join(', ') : '';
    // The settings leave a secret of the environment out only if it is that of another tenant.
    const isOthers = !clientSecret && context.env.TENANT_USERS_CLIENT_SECRET;
    const notSent = 'TENANT_USERS_CLIENT_SECRET is for another tenant, as its address or client id says.\n';
    throw new ConfigurationError(
      `no ${missing} is configured for ${whose}`,
      others
        ? `No profile is current. Select one with: tenant-users profiles use NAME (available: ${others})`
        : `${isOthers ? notSent : ''}Run: tenant-users login (or set TENANT_USERS_BASE_URL, _CLIENT_ID and _CLIENT_SECRET, or try --local)`,
    );
  }
  checkClientId(clientId);
  const target = { baseUrl: address, clientId: clientId.value, clientSecret: clientSecret.value };
  return { ...target, authStyle: authStyle.value, ...tokenStoreOf(context, settings) };
}

/** Throws unless a client id is printable ASCII: it is also sent in a header (`X-Client-Id`), which would otherwise break. */
function checkClientId({ value, origin }: Sourced): void {
  if (isHeaderText(value)) return;
  throw new ConfigurationError(
    `the client id (from ${origin}) contains characters that are not printable ASCII`,
    'Was it copied with a line break? Run: tenant-users login (or set TENANT_USERS_CLIENT_ID)',
  );
}

/** Stores the token with the profile, if base URL and credentials are the profile's own. */
function tokenStoreOf(context: CommandContext, settings: Settings): { tokenStore?: TokenStore } {
  const { profile, profiles, profileName, baseUrl, clientId, clientSecret } = settings;
  const own =
    baseUrl?.value === profile?.base_url &&
    clientId?.value === profile?.client_id &&
    clientSecret?.value === profile?.client_secret;
  if (!profile || !own) return {};
  return {
    tokenStore: {
      initial: profile.token,
      load() {
        try {
          return profiles.loadToken(profileName.value, profile);
        } catch {
          // A file that cannot be read now has only a token to spare a call; id and secret are known.
          return undefined;
        }
      },
      async save(token) {
        try {
          await profiles.saveToken(profileName.value, profile, token);
        } catch (cause) {
          // Storing the token only saves the next command a call; this command has its token.
          const { describeError } = await import('../errors/describe-error.ts');
          say(context, `Notice: the new token could not be stored: ${describeError(cause).message}`);
        }
      },
    },
  };
}

/** What a run that leaves records needs from the command's context. `target` identifies the tenant, without a secret. */
export function runFacts(context: CommandContext) {
  const { signal, clock, now } = context;
  const { local, baseUrl, clientId } = readSettings(context);
  const target: Record<string, string> = local
    ? { database: realDatabase(shownDatabase(local.value, context.env)) }
    : { base_url: baseUrl?.value ?? '', client_id: clientId?.value ?? '' };
  return { target, version, signal, clock, now };
}

/**
 * With `--verbose`, even with `--json`, writes a line to stderr for each exchange: no header, no body, no secret. Calls
 * `watch`, the callback of the caller, first.
 */
function traceOf(context: CommandContext, watch?: OnExchange): OnExchange | undefined {
  if (!context.options.verbose) return watch;
  return (exchange) => {
    watch?.(exchange);
    const time = new Date(context.now()).toISOString();
    context.stderr.write(`${printable(`${time} ${describeExchange(exchange)}`)}\n`);
  };
}

/** Formats an exchange: `GET /api/v2/tenant/users?offset=0&limit=20 → 200 in 12 ms, 3.4 kB`. */
function describeExchange(exchange: Exchange): string {
  const { method, path, status, fault, milliseconds, bytes, attempt } = exchange;
  const outcome = status ?? `no answer (${fault})`;
  const size = bytes === undefined ? '' : `, ${sizeOf(bytes)}`;
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${method} ${path} → ${outcome} in ${Math.round(milliseconds)} ms${size}${again}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * The target that options, environment and profile select. Throws if its address is invalid, before the address is shown: a URL
 * may contain credentials. `address`: the base URL; none for the embedded service, which is the person's own. `host`: what a person
 * types to confirm this tenant, because no call returns its name.
 */
export function targetTenant(context: CommandContext) {
  const { local, baseUrl, clientId, profileName, profile } = readTargetSettings(context);
  const isProfiles = profile && (local ?? baseUrl)?.origin === 'profile';
  const by = isProfiles ? `profile ${JSON.stringify(profileName.value)}, ` : '';
  if (local) {
    return {
      description: `${by}${embeddedService(local.value, context.env)}`,
      address: undefined,
      host: shownDatabase(local.value, context.env),
      isLoopback: true,
      isEmbedded: true,
    };
  }
  const address = baseUrl ? checkBaseUrl(baseUrl) : '';
  const application = clientId ? ` (client id ${clientId.value})` : '';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return {
    description: `${by}${address}${application}`,
    address: url?.href,
    host: url?.host ?? address,
    isLoopback: url !== undefined && isLoopback(url.hostname),
    isEmbedded: false,
  };
}

/** Names the target in the first line of a command that writes. Like all notices, silent with `--quiet` and `--json`. */
export function sayTarget(context: CommandContext): void {
  const { local, baseUrl } = readTargetSettings(context);
  // Without an address, the error that follows says what is missing.
  if (local || baseUrl) say(context, `Target: ${targetTenant(context).description}`);
}
