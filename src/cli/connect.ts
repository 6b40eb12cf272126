import type { Client, ClientOptions } from '../client/client.ts';
import type { TokenStore } from '../client/token.ts';
import { embed, shownDatabase } from './embed.ts';
import { ConfigurationError } from './failures.ts';
import { loosePermissions } from './loose-permissions.ts';
import { isHeaderText } from './parse.ts';
import { proxyOf } from './proxy-of.ts';
import { checkBaseUrl, readSettings, type Settings, type Sourced } from './settings.ts';
import { say, warn } from './show.ts';
import { traceOf } from './trace-exchange.ts';
import type { Session } from './world.ts';

/** Connects to the service that flags, environment and profile name, or to an embedded one. */
export async function connect(session: Session, more: { connections?: number } = {}): Promise<Client> {
  const settings = readSettings(session);
  const target = settings.local ? await embed(session, settings.local.value) : remote(session, settings);
  return openClient(session, { ...target, ...more });
}

/** Makes a client that ends with the command, at once when the command is interrupted. */
export async function openClient(session: Session, target: ClientOptions): Promise<Client> {
  // V8 would optimise the parser of HTTP after one answer, and hold up the end of a short command for it.
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--wasm-tiering-budget=100000000');
  const { createClient } = await import('../client/client.ts');
  const { timeout } = session.options;
  const limit = timeout === undefined ? {} : { timeout };
  const client = createClient({
    ...target,
    ...limit,
    ...traceOf(session, target.onExchange),
    now: session.now,
  });
  session.atEnd(() => client.close());
  return client;
}

/** The service that the settings name, and the way to it; throws what is missing, and how to mend it. */
export function remote(session: Session, settings: Settings): ClientOptions {
  const target = directTarget(session, settings);
  const { clientSecret, profiles } = settings;
  const loose = clientSecret?.origin === 'profile' ? loosePermissions(profiles.file) : [];
  for (const reason of loose) warn(session, reason);
  return { ...target, ...proxyOf(target.baseUrl, session.env) };
}

/** The same without the proxy, and without a word on the permissions of the configuration file. */
export function directTarget(session: Session, settings: Settings): ClientOptions {
  const { baseUrl, clientId, clientSecret, authStyle, profile, profiles, profileName } = settings;
  if (!baseUrl || !clientId || !clientSecret) {
    const missing = !baseUrl ? 'base URL' : !clientId ? 'client id' : 'client secret';
    const whose = baseUrl ? baseUrl.value : `profile ${JSON.stringify(profileName.value)}`;
    const others = !profile && !baseUrl ? profiles.names.map((name) => JSON.stringify(name)).join(', ') : '';
    throw new ConfigurationError(
      `no ${missing} is known for ${whose}`,
      others
        ? `No profile is current. Choose one with: tenant-users profiles use NAME (known are ${others})`
        : 'Run: tenant-users login (or set TENANT_USERS_BASE_URL, _CLIENT_ID and _CLIENT_SECRET, or try --local)',
    );
  }
  checkClientId(clientId);
  const target = {
    baseUrl: checkBaseUrl(baseUrl),
    clientId: clientId.value,
    clientSecret: clientSecret.value,
  };
  return { ...target, authStyle, ...tokenStoreOf(session, settings) };
}

/** The id also travels in a header (`X-Client-Id`), which would break on anything but printable ASCII. */
function checkClientId({ value, origin }: Sourced): void {
  if (isHeaderText(value)) return;
  throw new ConfigurationError(
    `the client id (from ${origin}) holds characters that are not printable ASCII`,
    'Was it copied with a line break? Run: tenant-users login (or set TENANT_USERS_CLIENT_ID)',
  );
}

/** The token is kept with the profile, as long as address and credentials are the profile's own. */
function tokenStoreOf(session: Session, settings: Settings): { tokenStore?: TokenStore } {
  const { profile, profiles, profileName, baseUrl, clientId, clientSecret } = settings;
  const own =
    baseUrl?.value === profile?.base_url &&
    clientId?.value === profile?.client_id &&
    clientSecret?.value === profile?.client_secret;
  if (!profile || !own) return {};
  return {
    tokenStore: {
      load: () => profiles.loadToken(profileName.value, profile),
      async save(token) {
        try {
          await profiles.saveToken(profileName.value, profile, token);
        } catch (cause) {
          // A token is stored to save the next command a call; this one has it.
          const { describeFailure } = await import('./describe-failure.ts');
          say(session, `Notice: the new token is not stored: ${describeFailure(cause).message}`);
        }
      },
    },
  };
}

/** What tells one tenant from another, as an import's journal keeps it; never a secret. */
export function tenantOf({ local, baseUrl, clientId }: Settings): Record<string, string> {
  if (local) return { database: shownDatabase(local.value) };
  return { base_url: baseUrl?.value ?? '', client_id: clientId?.value ?? '' };
}
