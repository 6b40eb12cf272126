import { resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { AuthenticationError } from '../../client/errors.ts';
import { type AuthStyle, authStyles } from '../../client/token.ts';
import { isPostgres, isUnnamed } from '../../text/locations/database-location.ts';
import { normalUrl } from '../../text/locations/normal-url.ts';
import { realDatabase } from '../../text/locations/real-path.ts';
import { printable } from '../../text/printable.ts';
import { quoteWord } from '../../text/shell-quote.ts';
import { baseUrlFault, checkBaseUrl } from '../config/base-url.ts';
import { openProfiles, type Profile, shownToken } from '../config/profiles.ts';
import { proxyOf } from '../config/proxy.ts';
import { credentialsFor, credentialsOf, defaultDatabase } from '../config/settings.ts';
import { openClient } from '../connection/connect.ts';
import { embed, sayWhenNew, serviceOf } from '../connection/embedded-service.ts';
import { givenOptions } from '../context/command-line.ts';
import { type AddCommand, type CommandContext, canAsk } from '../context/context.ts';
import { AdvisedError, UsageError } from '../errors/errors.ts';
import { askSecret, askText, confirm } from '../input/prompts.ts';
import { readSecretOption } from '../input/read-input.ts';
import { secretOption } from '../input/secret-options.ts';
import { say, showRecord, wantsFields } from '../output/show.ts';
import { whileWaiting } from '../output/spinner.ts';

interface LoginOptions {
  clientId?: string;
  clientSecretStdin?: true;
  clientSecretFile?: string;
  authStyle?: AuthStyle;
}

const help = `
Prompts for anything not set by flags, environment or profile; after logout, only for the secret.
Without --profile it stores that of TENANT_USERS_PROFILE, else the current one, at first "default".
A profile that is named with --profile keeps its service, whatever the environment says. Before a
profile changes its tenant, login asks; in a script, add --yes.

Examples:
  $ tenant-users login
  $ tenant-users login --profile acme --base-url https://id.example.com
  $ tenant-users login --base-url https://id.example.com --client-id APP --client-secret-file FILE
  $ tenant-users login --local                embedded service, no tenant needed`;

export const addLogin: AddCommand = (parent, context) => {
  parent
    .command('login')
    .description('Verify the credentials of an application and store them as a profile')
    .option('--client-id <id>', 'application id')
    .addOption(
      new Option('--client-secret-stdin', 'read the application secret from standard input').conflicts(
        'clientSecretFile',
      ),
    )
    .option('--client-secret-file <file>', 'read the application secret from a file')
    .addOption(
      secretOption(
        '--client-secret',
        'a secret',
        '--client-secret-file, --client-secret-stdin, TENANT_USERS_CLIENT_SECRET or the prompt',
      ),
    )
    .addOption(new Option('--auth-style <style>', 'how the credentials are sent').choices(authStyles))
    .addHelpText('after', help)
    .action(async (options, command) => {
      const { file, ...profiles } = openProfiles(context);
      const name = context.options.profile || context.env.TENANT_USERS_PROFILE || profiles.current;
      checkName(name);
      const before = profiles.find(name);
      // A profile that is typed means its tenant, whatever the environment says.
      const typed = context.options.profile ? before : undefined;
      const kept = context.options.baseUrl === undefined ? typed?.local : undefined;
      const local = context.options.local ?? kept;
      const [credential] = givenOptions(command);
      if (local !== undefined && credential)
        throw new UsageError(
          `${credential.long} is for a service with credentials, and the embedded one has none`,
          'Remove it, or name the service with --base-url.',
        );
      const profile =
        local === undefined
          ? await remoteProfile(context, options, { name, before, typed, file })
          : localProfile(context, local);
      const [was, is] = [tenantOf(context, before), tenantOf(context, profile)];
      const isReplaced = before !== undefined && was !== undefined && was !== is;
      if (isReplaced) await agreeToReplace(context, name, before, was);
      const client = await openClient(context, await targetOf(context, name, profile));
      const token = await whileWaiting(context, 'Obtaining a token', client.obtainToken()).catch(
        (failure) => {
          throw failure instanceof AuthenticationError ? new AdvisedError(failure, notStored) : failure;
        },
      );
      await profiles.save(name, profile.local === undefined ? { ...profile, token } : profile);
      const baseUrl = serviceOf(context, profile) ?? '';
      if (wantsFields(context)) {
        const { client_id = null } = profile;
        const stored = { profile: name, base_url: baseUrl, client_id, token: shownToken(token) };
        const columns = ['profile', 'base_url', 'client_id', 'token.expires_at'];
        await showRecord(context, stored, columns);
      }
      const shown = JSON.stringify(name);
      say(context, `Logged in to ${baseUrl}; stored as profile ${shown} in ${file}`, 'green');
      if (isReplaced) {
        const lost = before.client_secret === undefined ? '' : ', whose credentials it no longer has';
        say(context, `The profile was for ${was}${lost}`);
      }
      if (name !== profiles.current && profiles.find(profiles.current)) {
        say(
          context,
          `Use it with --profile, or make it the current one: tenant-users profiles use ${quoteWord(name)}`,
        );
      }
    });
};

const notStored = 'Nothing was stored. Check the client id and the secret, and log in again.';

/** The tenant of a profile in words: several tenants can share an address, and each has applications of its own. */
function tenantOf(context: CommandContext, profile: Profile | undefined): string | undefined {
  const { local, client_id } = profile ?? {};
  // Several paths can lead to one database.
  const service = serviceOf(context, local === undefined ? profile : { local: realDatabase(local) });
  return service && local === undefined && client_id ? `${service} (client id ${client_id})` : service;
}

/** Asks before a profile changes its tenant: commands that name it would act on other people, and its secret cannot be read again. */
async function agreeToReplace(context: CommandContext, name: string, before: Profile, was: string) {
  const { local, client_secret: secret } = before;
  if (local === undefined && secret === undefined) return;
  const what = `profile ${JSON.stringify(name)} is for another tenant: ${was}`;
  const lost = secret === undefined ? '' : ' and its secret';
  const hint = `Nothing was stored. Name another profile with --profile, or replace this one${lost} with --yes.`;
  if (!context.options.yes && !canAsk(context)) throw new UsageError(what, hint);
  const question = `The ${what}. Replace it${lost}?`;
  if (!(await confirm(context, question))) throw new UsageError(what, hint);
}

/** Rejects control characters in a name, which is shown in tables and completed by shells, one line each, and names of options. */
function checkName(name: string): void {
  const fault = printable(name) === name ? undefined : 'contains control characters';
  const found = fault ?? (name.startsWith('-') ? 'begins with a dash, as an option does' : undefined);
  if (found) throw new UsageError(`the profile name ${found}`, 'Choose another with --profile.');
}

async function targetOf(context: CommandContext, name: string, profile: Profile) {
  const { local, base_url = '', client_id = '', client_secret = '', auth_style = 'query' } = profile;
  if (local !== undefined) {
    sayWhenNew(
      context,
      { value: local, origin: context.options.local === undefined ? 'profile' : 'flag' },
      name,
    );
    return embed(context, local);
  }
  const credentials = { clientId: client_id, clientSecret: client_secret, authStyle: auth_style };
  return { baseUrl: base_url, ...credentials, ...proxyOf(base_url, context.env) };
}

function localProfile(context: CommandContext, local: string | true): Profile {
  if (local === true) return { local: defaultDatabase(context) };
  if (isUnnamed(local)) {
    throw new UsageError(
      `the database ${local} ends with the command, so no profile can be for it`,
      'Name a file, such as --local tenant.db.',
    );
  }
  // A profile means the same database in every working directory.
  return { local: isPostgres(local) ? local : resolve(local) };
}

interface Writing {
  name: string;
  /** The profile as it is stored now, if there is one. */
  before: Profile | undefined;
  /** The same if `--profile` names it: its values come before those of the environment. */
  typed: Profile | undefined;
  file: string;
}

/** Makes a profile from flags, the environment and its stored values. Asks for missing ones. */
async function remoteProfile(
  context: CommandContext,
  options: LoginOptions,
  writing: Writing,
): Promise<Profile> {
  const { before, typed } = writing;
  if (context.stdin.isTTY) say(context, describeProfile(context, writing));
  const base_url = await baseUrlOf(context, before?.base_url, typed?.base_url);
  const known = before?.base_url === base_url ? before : undefined;
  const wanted = options.clientId ?? (typed && known?.client_id);
  const { env } = context;
  const ours = context.options.profile ? credentialsFor(env, base_url, wanted) : credentialsOf(env);
  const client_id =
    wanted ||
    ours.clientId ||
    known?.client_id ||
    (await askText(context, { message: 'Client id', instead: '--client-id', initial: before?.client_id }));
  if (known && context.stdin.isTTY) {
    say(context, `Using ${base_url} as ${client_id}; change these with --base-url and --client-id`);
  }
  const client_secret = await secretOf(context, options, ours.clientSecret);
  const auth_style = options.authStyle ?? known?.auth_style;
  return { base_url, client_id, client_secret, ...(auth_style ? { auth_style } : {}) };
}

function describeProfile(context: CommandContext, { name, before, file }: Writing): string {
  const state = before ? `currently ${serviceOf(context, before) ?? 'incomplete'}` : 'new';
  return `Profile ${JSON.stringify(name)} (${state}) in ${file}`;
}

async function baseUrlOf(context: CommandContext, before: string | undefined, typed: string | undefined) {
  const { options, env } = context;
  if (options.baseUrl !== undefined) return checkBaseUrl({ value: options.baseUrl, origin: 'flag' });
  if (typed !== undefined && baseUrlFault(typed) === undefined) return typed;
  const { TENANT_USERS_BASE_URL: fromEnv } = env;
  if (fromEnv) return checkBaseUrl({ value: fromEnv, origin: 'environment' });
  if (before !== undefined && baseUrlFault(before) === undefined) return before;
  const check = (answer: string) => {
    const fault = baseUrlFault(answer);
    return fault === undefined || `${fault.message}. ${fault.hint}`;
  };
  return normalUrl(await askText(context, { message: 'Base URL', instead: '--base-url', check }));
}

/** `ours`: the secret of the environment, if it may be sent. */
async function secretOf(context: CommandContext, options: LoginOptions, ours: string | undefined) {
  const { clientSecretStdin: stdin, clientSecretFile: file } = options;
  const given = await readSecretOption(context, 'client secret', { stdin, file });
  if (given !== undefined) return given;
  return ours || askSecret(context, 'Client secret', '--client-secret-stdin or --client-secret-file');
}
