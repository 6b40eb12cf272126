import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { dirname } from 'node:path';
import { formatCount } from '../../text/format-count.ts';
import { hidden, hideSecrets } from '../../text/redact.ts';
import { checkBaseUrl } from '../config/base-url.ts';
import { loosePermissions, shownMode } from '../config/permissions.ts';
import { openProfiles } from '../config/profiles.ts';
import { proxyOf } from '../config/proxy.ts';
import { readTargetSettings, type Settings, type Sourced } from '../config/settings.ts';
import { variables } from '../config/variables.ts';
import { directTarget } from '../connection/connect.ts';
import { embeddedService } from '../connection/embedded-service.ts';
import type { CommandContext } from '../context/context.ts';
import { configFile, findConfigFile } from '../context/directories.ts';
import { version } from '../context/version.ts';
import { reasonOf } from '../errors/errors.ts';
import { type CheckResult, failedBy, fine, fixable, skipped, warned } from './check.ts';
import { checkConnection } from './connection-checks.ts';
import { checkFiles, looseFiles } from './file-checks.ts';
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

function checkProgram(): CheckResult {
  const { platform, arch, version: node } = process;
  return fine('program', `tenant-users ${version}, Node ${node}, ${platform} ${release()} ${arch}`);
}

/** Checks that the configuration file is readable, valid and private to its owner. It need not exist. */
export function checkConfiguration(context: CommandContext): CheckResult {
  try {
    const file = configFile(context);
    const mode = shownMode(file);
    const { names } = openProfiles(context);
    if (!existsSync(file)) return fine('configuration', `no configuration file at ${file}; none is required`);
    const loose = loosePermissions(file);
    if (loose.length > 0) {
      // A directory that a person named can have other uses.
      const isNamed = context.options.config !== undefined || context.env.TENANT_USERS_CONFIG;
      const fixes = looseFiles([file], isNamed ? [] : [dirname(file)]);
      const check = fixable('configuration', loose.join('; '), fixes);
      return { ...check, hint: check.hint || 'Restrict the permissions.' };
    }
    const count = names.length;
    return fine(
      'configuration',
      [file, ...(mode ? [`mode ${mode}`] : []), formatCount(count, 'profile')].join(', '),
    );
  } catch (failure) {
    const failed = failedBy('configuration', failure);
    // Without a place for it, commands go on.
    return findConfigFile(context) === undefined
      ? warned('configuration', failed.message, failed.hint)
      : failed;
  }
}

/** Every variable that the program reads, and those of Node.js that change what it does. */
const relevant = [
  ...variables.flatMap(({ names }) => names).filter((name) => /^\w+$/.test(name)),
  'NODE_OPTIONS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
].flatMap((name) => (name.endsWith('_PROXY') ? [name, name.toLowerCase()] : [name]));

/** Variables whose value can be shown; of an address, without its credentials. */
const withValue =
  /^(?:TENANT_USERS_PROFILE|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|NO_PROXY|NO_COLOR|FORCE_COLOR|CLICOLOR_FORCE|FORCE_HYPERLINK)$/i;
const withAddress = /^(?:TENANT_USERS_BASE_URL|(?:HTTPS?|ALL)_PROXY)$/i;

/** Reports the relevant environment variables: secrets by name only, addresses without their credentials. */
function checkEnvironment({ env }: CommandContext): CheckResult {
  const set = relevant.flatMap((name) => {
    const value = env[name];
    if (!value) return [];
    if (withAddress.test(name)) return [`${name}=${maskedAddress(value)}`];
    return [withValue.test(name) ? `${name}=${value}` : `${name} (set)`];
  });
  const variables = set.length > 0 ? set.join(', ') : 'no relevant variables are set';
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return fine('environment', variables);
  return warned(
    'environment',
    variables,
    'NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here: certificates are always checked. Remove it.',
  );
}

/** An address without its credentials, path and query, which may contain secrets. */
function maskedAddress(value: string): string {
  const text = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(text)) return '(not a valid URL)';
  const { protocol, username, password, host } = new URL(text);
  return `${protocol}//${username || password ? `${hidden}@` : ''}${host}`;
}

/** Checks the file of certificates that Node trusts in addition to its own. */
function checkExtraCertificates({ env }: CommandContext): CheckResult {
  const name = 'extra certificates';
  const { NODE_EXTRA_CA_CERTS: file } = env;
  if (!file) return skipped(name, 'NODE_EXTRA_CA_CERTS is not set');
  const hint = 'Name a readable PEM file in NODE_EXTRA_CA_CERTS; Node ignores any other.';
  try {
    const count = readFileSync(file, 'utf8').split('-----BEGIN CERTIFICATE-----').length - 1;
    if (count === 0) return warned(name, `${file} contains no certificate`, hint);
    return fine(name, `${file} contains ${formatCount(count, 'certificate')}`);
  } catch (cause) {
    return warned(name, `${file} cannot be read: ${reasonOf(cause)}`, hint);
  }
}
