import { existsSync } from 'node:fs';
import { noTotal } from '../../client/calls.ts';
import type { ClientOptions } from '../../client/client.ts';
import type { CachedToken } from '../../client/token.ts';
import { shownProxy } from '../../client/transport/proxy-tunnel.ts';
import { formatCount, formatRate } from '../../text/format-count.ts';
import { shownDatabase } from '../../text/locations/database-location.ts';
import { hidden } from '../../text/redact.ts';
import { forgetPace, type KnownPace, knownPace } from '../config/pace-file.ts';
import { loosePermissions, shownMode } from '../config/permissions.ts';
import { shownToken } from '../config/profiles.ts';
import { type Route, routeTo } from '../config/proxy.ts';
import { readTargetSettings, type Settings, type Sourced } from '../config/settings.ts';
import { configuredTarget, openClient, runFacts } from '../connection/connect.ts';
import { serviceOf } from '../connection/embedded-service.ts';
import type { AddCommand, CommandContext } from '../context/context.ts';
import { findConfigFile } from '../context/directories.ts';
import { describeLimit } from '../output/forecast.ts';
import { say, showRecord, wantsFields } from '../output/show.ts';
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
      const settings = readTargetSettings(context);
      const { target: tenant } = runFacts(context);
      if (isForgetting) {
        const was = await forgetPace(context, tenant);
        say(
          context,
          was ? 'The stored pace of this tenant was deleted.' : 'No pace of this tenant is known.',
        );
      }
      const found: Found = { pace: knownPace(context, tenant), way: {} };
      const print = () => {
        const record = recordOf(context, settings, found);
        if (wantsFields(context)) return showRecord(context, record, columns);
        const lines = linesOf(record, settings, found);
        return showRecord(context, lines, Object.keys(lines));
      };
      let users: number | null;
      try {
        const target = await configuredTarget(context, settings);
        if (!settings.local) {
          found.way = routeTo(target.baseUrl, context.env);
          found.isStored = target.tokenStore !== undefined;
        }
        const checked = await whileWaiting(context, 'Checking the token', checkToken(context, target));
        found.token = checked.token;
        users = checked.total;
      } catch (failure) {
        if (!context.signal.aborted) await print();
        throw failure;
      }
      await print();
      const count = users === null ? noTotal : `the tenant has ${formatCount(users, 'user')}`;
      say(context, `The token is accepted; ${count}.`);
    });
};

/** What is known beside the settings; all but the pace only after the service, or the way to it, has been looked at. */
interface Found {
  pace: KnownPace | undefined;
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

const columns = ['profile', 'base_url', 'client_id', 'token.expires_at'];

/** The result for `--json`: values and where they come from, `null` where one is not known, never a secret. */
function recordOf(context: CommandContext, settings: Settings, { pace, token, way: { proxy } }: Found) {
  const { profileName, local, baseUrl, clientId, clientSecret, authStyle } = settings;
  const file = findConfigFile(context);
  const own = usesProfile(settings) ? profileName : undefined;
  // The result shows the tenant already.
  const { target: _, ...shownPace } = pace ?? {};
  return {
    profile: own?.value ?? null,
    base_url: serviceOf(context, { local: local?.value, base_url: baseUrl?.value }) ?? null,
    client_id: local ? null : (clientId?.value ?? null),
    token: token ? shownToken(token) : null,
    local: local ? shownDatabase(local.value, context.env) : null,
    auth_style: local ? null : authStyle.value,
    sources: {
      profile: own?.origin ?? null,
      base_url: (local ?? baseUrl)?.origin ?? null,
      client_id: local ? null : (clientId?.origin ?? null),
      client_secret: local ? null : (clientSecret?.origin ?? null),
    },
    proxy: proxy ? { address: shownProxy(proxy.address), variable: proxy.variable } : null,
    pace: pace ? shownPace : null,
    configuration:
      file === undefined
        ? { file: null, mode: null, warnings: [] }
        : { file, mode: shownMode(file) ?? null, warnings: loosePermissions(file) },
  };
}

function describeKnownPace({ likely, limit, in_flight: found }: KnownPace): string {
  return `${formatRate(likely)} requests/s, ${found} in flight, ${describeLimit(limit)}`;
}

/** True if a value comes from the profile. Otherwise the profile's name would mislead. */
function usesProfile({ local, baseUrl, clientId, clientSecret }: Settings): boolean {
  const values = local ? [local] : [baseUrl, clientId, clientSecret];
  return values.some((value) => value?.origin === 'profile');
}

/** The lines of the table: each value, and where it comes from. */
function linesOf(
  { profile, base_url, token, proxy, configuration: { file, mode, warnings } }: ReturnType<typeof recordOf>,
  { profileName, local, baseUrl, clientId, clientSecret, authStyle }: Settings,
  { pace, way, isStored }: Found,
) {
  const lacksValue = !local && !(baseUrl && clientId && clientSecret);
  const isLoose = warnings.length > 0;
  return {
    profile: profile !== null || lacksValue ? sourced(profileName) : '(none used)',
    'base URL': sourced(local ?? baseUrl, base_url),
    ...(local
      ? {}
      : {
          'client id': sourced(clientId),
          'client secret': sourced(clientSecret, hidden),
          'auth style': sourced(authStyle),
        }),
    proxy: proxy ? from(proxy.address, proxy.variable) : way.bypass && from('(none)', way.bypass),
    token: token && from(`until ${token.expires_at}`, isStored && profile !== null && 'profile'),
    pace: pace && from(describeKnownPace(pace), pace.measured_at.slice(0, 10)),
    configuration:
      file === null
        ? from('(none)', 'there is no place for it')
        : existsSync(file)
          ? from(file, mode && `mode ${mode}${isLoose ? ', too permissive' : ''}`)
          : from(file, 'not found'),
  };
}

function sourced(value: Sourced | undefined, shown: string | null | undefined = value?.value): string {
  return value ? from(shown ?? '', value.origin) : '(none)';
}

function from(value: string, origin: string | false | null | undefined): string {
  return origin ? `${value} (${origin})` : value;
}
