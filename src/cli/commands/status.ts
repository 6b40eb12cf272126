import { existsSync } from 'node:fs';
import type { ClientOptions } from '../../client/client.ts';
import { shownProxy } from '../../client/proxy-tunnel.ts';
import type { CachedToken } from '../../client/token.ts';
import { shownDatabase } from '../../text/database-location.ts';
import { formatCount, formatRate } from '../../text/format-count.ts';
import { hidden } from '../../text/redact.ts';
import { shownBaseUrl } from '../config/base-url.ts';
import { forgetPace, type KnownPace, knownPace } from '../config/pace-file.ts';
import { loosePermissions, shownMode } from '../config/permissions.ts';
import { type Route, routeTo } from '../config/proxy.ts';
import { readSettings, type Settings, type Sourced } from '../config/settings.ts';
import { configuredTarget, openClient, runFacts } from '../connection/connect.ts';
import { embeddedService } from '../connection/embedded-service.ts';
import type { AddCommand, CommandContext } from '../context/context.ts';
import { describeLimit } from '../output/forecast.ts';
import { formatOf, say, show } from '../output/show.ts';
import { shownToken } from '../output/shown-token.ts';
import { whileWaiting } from '../output/spinner.ts';

const help = `
The values are shown even if the service is unreachable or rejects them; with --json, token is null
then. Check the exit code.

Examples:
  $ tenant-users status
  $ tenant-users status --profile acme --json | jq .sources`;

export const addStatus: AddCommand = (parent, context) => {
  parent
    .command('status')
    .description('Show the service, the credentials and whether the token is accepted')
    .option('--forget-pace', 'delete the remembered pace of imports into this tenant')
    .addHelpText('after', help)
    .action(async ({ forgetPace: isForgetting }) => {
      const settings = readSettings(context);
      const { target: tenant } = runFacts(context);
      if (isForgetting) await forget(context, tenant);
      const pace = knownPace(context, tenant);
      const found: Found = { way: {} };
      const print = () =>
        show(
          context,
          formatOf(context) === 'table' ? tableOf(settings, pace, found) : resultOf(settings, pace, found),
        );
      let users: number;
      try {
        const target = await configuredTarget(context, settings);
        if (!settings.local) found.way = routeTo(target.baseUrl, context.env);
        const checked = await whileWaiting(context, 'Checking the token', checkToken(context, target));
        found.token = checked.token;
        found.isStored = target.tokenStore !== undefined;
        users = checked.total;
      } catch (failure) {
        if (!context.signal.aborted) await print();
        throw failure;
      }
      await print();
      say(context, `The token is accepted; the tenant has ${formatCount(users, 'user')}.`);
    });
};

/** What is known only after the service, or the way to it, has been looked at. */
interface Found {
  way: Route;
  /** Absent if the service gave none, or rejected it. */
  token?: CachedToken;
  /** True if the token is kept with a profile. */
  isStored?: boolean;
}

async function checkToken(context: CommandContext, target: ClientOptions) {
  const client = await openClient(context, target);
  const { total } = await client.listUsers({ offset: 0, limit: 10 });
  return { token: await client.obtainToken(), total };
}

/** The result for `--json`: values and where they come from, `null` where one is not known, never a secret. */
function resultOf(settings: Settings, pace: KnownPace | undefined, { token, way: { proxy } }: Found) {
  const { profileName, local, baseUrl, clientId, clientSecret, authStyle, profiles } = settings;
  const { file } = profiles;
  const own = usesProfile(settings) ? profileName : undefined;
  const row = {
    profile: own?.value ?? null,
    base_url: serviceOf(settings) ?? null,
    client_id: local ? null : (clientId?.value ?? null),
    token: token ? shownToken(token) : null,
    local: local ? shownDatabase(local.value) : null,
    auth_style: local ? null : authStyle.value,
    sources: {
      profile: own?.origin ?? null,
      base_url: (local ?? baseUrl)?.origin ?? null,
      client_id: local ? null : (clientId?.origin ?? null),
      client_secret: local ? null : (clientSecret?.origin ?? null),
    },
    proxy: proxy ? { address: shownProxy(proxy.address), variable: proxy.variable } : null,
    pace: pace ? paceOf(pace) : null,
    configuration: { file, mode: shownMode(file) ?? null, warnings: loosePermissions(file) },
  };
  return { rows: [row], columns: ['profile', 'base_url', 'client_id', 'token.expires_at'], single: true };
}

/** The pace without the tenant, which the result shows already. */
function paceOf({ target: _, ...pace }: KnownPace) {
  return pace;
}

/** Says in one line how fast the tenant accepted users. */
function describeKnownPace({ likely, limit, in_flight: found }: KnownPace): string {
  return `${formatRate(likely)} requests/s, ${found} in flight, ${describeLimit(limit)}`;
}

async function forget(context: CommandContext, tenant: KnownPace['target']): Promise<void> {
  const isForgotten = await forgetPace(context, tenant);
  say(
    context,
    isForgotten ? 'The stored pace of this tenant was deleted.' : 'No pace of this tenant is known.',
  );
}

/** True if a value comes from the profile. Otherwise the profile's name would mislead. */
function usesProfile({ local, baseUrl, clientId, clientSecret }: Settings): boolean {
  const values = local ? [local] : [baseUrl, clientId, clientSecret];
  return values.some((value) => value?.origin === 'profile');
}

/** True if a value is missing that a profile would have. */
function lacksValue({ local, baseUrl, clientId, clientSecret }: Settings): boolean {
  return !local && !(baseUrl && clientId && clientSecret);
}

function serviceOf({ local, baseUrl }: Settings): string | undefined {
  return local ? embeddedService(local.value) : baseUrl && shownBaseUrl(baseUrl.value);
}

function tableOf(settings: Settings, pace: KnownPace | undefined, { token, way, isStored }: Found) {
  const { profileName, local, baseUrl, clientId, clientSecret, authStyle, profiles } = settings;
  const { file } = profiles;
  const mode = shownMode(file);
  const rows = [
    usesProfile(settings) || lacksValue(settings)
      ? row('profile', profileName)
      : { name: 'profile', value: '(none used)', from: '' },
    { ...row('base URL', local ?? baseUrl), value: serviceOf(settings) ?? '(none)' },
    ...(local
      ? []
      : [
          row('client id', clientId),
          { ...row('client secret', clientSecret), value: clientSecret ? hidden : '(none)' },
          row('auth style', authStyle),
        ]),
    ...proxyRows(way),
    ...(token
      ? [
          {
            name: 'token',
            value: `until ${shownToken(token).expires_at}`,
            from: isStored && usesProfile(settings) ? 'profile' : '',
          },
        ]
      : []),
    ...(pace ? [{ name: 'pace', value: describeKnownPace(pace), from: pace.measured_at.slice(0, 10) }] : []),
    {
      name: 'configuration',
      value: existsSync(file) ? file : `${file} (not found)`,
      from:
        mode === undefined
          ? ''
          : `mode ${mode}${loosePermissions(file).length > 0 ? ', too permissive' : ''}`,
    },
  ];
  return { rows, columns: ['name', 'value', 'from'], whole: ['name'], wrapped: ['value', 'from'] };
}

function proxyRows({ proxy, bypass }: Route) {
  if (proxy) return [{ name: 'proxy', value: shownProxy(proxy.address), from: proxy.variable }];
  return bypass === undefined ? [] : [{ name: 'proxy', value: '(none)', from: bypass }];
}

function row(name: string, sourced: Sourced | undefined) {
  return { name, value: sourced?.value ?? '(none)', from: sourced?.origin ?? '' };
}
