import { hideSecrets } from '../../text/redact.ts';
import { checkBaseUrl } from '../config/base-url.ts';
import { proxyOf } from '../config/proxy.ts';
import { readTargetSettings, type Settings, type Sourced } from '../config/settings.ts';
import { directTarget } from '../connection/connect.ts';
import { embeddedService } from '../connection/embedded-service.ts';
import type { CommandContext } from '../context/context.ts';
import { type CheckResult, failedBy, fine, skipped } from './check.ts';
import { checkConnection } from './connection-checks.ts';
import { checkFiles } from './file-checks.ts';
import { checkConfiguration, checkEnvironment, checkExtraCertificates, checkProgram } from './own-checks.ts';
import { checkEmbedded, checkService, skipServices } from './service-checks.ts';

/** Checks everything from the program itself to the users of the tenant. Continues after a failure where that makes sense. */
export async function examine(context: CommandContext): Promise<CheckResult[]> {
  const own = [
    checkProgram(),
    checkConfiguration(context),
    checkEnvironment(context),
    checkExtraCertificates(context),
    ...(await checkFiles(context)),
  ];
  let settings: Settings;
  try {
    settings = readTargetSettings(context);
  } catch (failure) {
    const broken = own.some(({ status }) => status === 'failed');
    const profile = broken
      ? skipped('profile', 'the configuration is invalid')
      : failedBy('profile', failure);
    return [...own, profile, ...skipServices('no service is configured')];
  }
  const { checks, target, baseUrl } = checkProfile(context, settings);
  const found = [...own, ...checks];
  if (settings.local) {
    found.push(...(await checkEmbedded(context, settings.local, settings.profileName.value)));
    return withoutSecrets(found, context, settings);
  }
  const way = baseUrl === undefined ? [] : await checkConnection(context, baseUrl);
  found.push(...way);
  const ready = target && way.every(({ status }) => status !== 'failed');
  const why = target ? 'the service is unreachable' : 'base URL, client id and secret are required';
  const proxied = ready && { ...target, ...proxyOf(target.baseUrl, context.env) };
  found.push(...(proxied ? await checkService(context, proxied) : skipServices(why)));
  return withoutSecrets(found, context, settings);
}

/** Checks the settings and lists each value with its origin; of the secret, only whether it is set. */
function checkProfile(context: CommandContext, settings: Settings) {
  const { local, profileName, baseUrl, clientId, clientSecret, authStyle } = settings;
  const name = `profile ${JSON.stringify(profileName.value)} (${profileName.origin})`;
  if (local) {
    return {
      checks: [fine('profile', `${name}, ${embeddedService(local.value, context.env)} (${local.origin})`)],
    };
  }
  const shown = (value: Sourced | undefined, text = value?.value) =>
    value ? `${text} (${value.origin})` : 'not set';
  const values = [
    name,
    `client id ${shown(clientId)}`,
    `client secret ${shown(clientSecret, 'set')}`,
    `auth style ${authStyle.value}`,
  ].join(', ');
  let address: string | undefined;
  try {
    address = baseUrl && checkBaseUrl(baseUrl);
    const target = directTarget(context, settings);
    return { checks: [fine('profile', `base URL ${shown(baseUrl)}, ${values}`)], target, baseUrl: address };
  } catch (failure) {
    const failed = failedBy('profile', failure);
    return { checks: [{ ...failed, message: `${failed.message} (${values})` }], baseUrl: address };
  }
}

/** Hides secrets in the texts, because a server's message may repeat what was sent to it. */
function withoutSecrets(checks: CheckResult[], { env }: CommandContext, { clientSecret }: Settings) {
  const secrets = [clientSecret?.value ?? '', env.TENANT_USERS_CLIENT_SECRET ?? '']
    .flatMap((one) => [one, encodeURIComponent(one), `${new URLSearchParams({ '': one })}`.slice(1)])
    .filter((one) => one.length >= 6);
  const safe = (text: string) => hideSecrets(text, secrets);
  return checks.map((one) => ({ ...one, message: safe(one.message), hint: safe(one.hint) }));
}
