import { existsSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import type { ClientOptions } from '../../client/client.ts';
import { shownProxy } from '../../client/proxy-tunnel.ts';
import type { CachedToken } from '../../client/token.ts';
import { shownDatabase } from '../../text/database-location.ts';
import { formatCount, formatRate } from '../../text/format-count.ts';
import { hidden } from '../../text/redact.ts';
import { forgetPace, type KnownPace, knownPace } from '../config/pace-file.ts';
import { loosePermissions, shownMode } from '../config/permissions.ts';
import { type Route, routeTo } from '../config/proxy.ts';
import { readSettings, type Settings, type Sourced, shownBaseUrl } from '../config/settings.ts';
import { configuredTarget, openClient, runFacts } from '../connection/connect.ts';
import { embeddedService } from '../connection/embedded-service.ts';
import type { CommandContext } from '../context/context.ts';
import { describeLimit } from '../output/forecast.ts';
import { formatOf, say, show } from '../output/show.ts';
import { signInResult } from '../output/sign-in-result.ts';
import { whileWaiting } from '../output/spinner.ts';

/** tenant-users status */
export function addStatus(parent: Command, context: CommandContext): void {
  parent
    .command('status')
    .description('Show the service, the credentials and whether the token is accepted')
    .option('--forget-pace', 'delete the remembered pace of imports into this tenant')
    .addHelpText(
      'after',
      `
The values are shown even if the service is unreachable or rejects them: check the exit code.

Examples:
  $ tenant-users status
  $ tenant-users status --profile acme --json | jq .sources`,
    )
    .action(async ({ forgetPace: isForgetting }) => {
      const settings = readSettings(context);
      const { target: tenant } = runFacts(context);
      if (isForgetting) forget(context, tenant);
      const pace = knownPace(context, tenant);
      const isTable = formatOf(context) === 'table';
      try {
        const target = await configuredTarget(context, settings);
        const { token, total } = await whileWaiting(
          context,
          'Checking the token',
          checkToken(context, target),
        );
        const way = settings.local ? {} : routeTo(target.baseUrl, context.env);
        const result = resultOf(settings, token, way, pace);
        await show(context, isTable ? tableOf(settings, pace, { token, target, way }) : result);
        say(context, `The token is accepted; the tenant has ${formatCount(total, 'user')}.`);
      } catch (failure) {
        if (isTable && !context.signal.aborted) {
          await show(context, tableOf(settings, pace));
        }
        throw failure;
      }
    });
}

async function checkToken(context: CommandContext, target: ClientOptions) {
  const client = await openClient(context, target);
  const { total } = await client.listUsers({ offset: 0, limit: 10 });
  return { token: await client.obtainToken(), total };
}

/** The result for `--json`: values and where they come from, never a secret. */
function resultOf(settings: Settings, token: CachedToken, { proxy }: Route, pace: KnownPace | undefined) {
  const { profileName, local, baseUrl, clientId, clientSecret, authStyle, profiles } = settings;
  const { file } = profiles;
  const shownId = local ? undefined : clientId?.value;
  const { rows, ...rest } = signInResult(profileName.value, serviceOf(settings) ?? '', shownId, token);
  const more = {
    profile: usesProfile(settings) ? profileName.value : null,
    local: local ? shownDatabase(local.value) : null,
    auth_style: local ? null : authStyle,
    sources: {
      profile: usesProfile(settings) ? profileName.origin : null,
      base_url: (local ?? baseUrl)?.origin ?? null,
      client_id: local ? null : (clientId?.origin ?? null),
      client_secret: local ? null : (clientSecret?.origin ?? null),
    },
    proxy: proxy ? { address: shownProxy(proxy.address), variable: proxy.variable } : null,
    pace: pace ? paceOf(pace) : null,
    configuration: { file, mode: shownMode(file) ?? null, warnings: loosePermissions(file) },
  };
  return { ...rest, rows: rows.map((row) => ({ ...row, ...more })) };
}

/** The pace without the tenant, which the result shows already. */
function paceOf({ target: _, ...pace }: KnownPace) {
  return pace;
}

/** Says in one line how fast the tenant accepted users. */
function describeKnownPace({ likely, limit, in_flight: found }: KnownPace): string {
  return `${formatRate(likely)} requests/s, ${found} in flight, ${describeLimit(limit)}`;
}

function forget(context: CommandContext, tenant: KnownPace['target']): void {
  const isForgotten = forgetPace(context, tenant);
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

/** What is known only after the service has been called. */
interface Asked {
  token: CachedToken;
  target: ClientOptions;
  way: Route;
}

function tableOf(settings: Settings, pace: KnownPace | undefined, asked?: Asked) {
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
          {
            name: 'auth style',
            value: authStyle,
            from: settings.profile?.auth_style ? 'profile' : 'default',
          },
        ]),
    ...proxyRows(asked?.way ?? {}),
    ...(asked
      ? [
          {
            name: 'token',
            value: `until ${new Date(asked.token.expires_at).toISOString()}`,
            from: asked.target.tokenStore && usesProfile(settings) ? 'profile' : '',
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
