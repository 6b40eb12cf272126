import { type Command, Option } from '@commander-js/extra-typings';
import { type AuthStyle, authStyles } from '../../client/token-request.ts';
import { askSecret, askText } from '../ask.ts';
import type { Profile } from '../config-file.ts';
import { openClient } from '../connect.ts';
import { embed, embeddedService } from '../embed.ts';
import { UsageError } from '../failures.ts';
import { openProfiles } from '../profiles.ts';
import { readSecret } from '../read-input.ts';
import { checkBaseUrl, defaultDatabase } from '../settings.ts';
import { formatOf, say, show } from '../show.ts';
import { signInResult } from '../sign-in-result.ts';
import type { Session } from '../world.ts';

interface LoginOptions {
  clientId?: string;
  clientSecretStdin?: true;
  clientSecretFile?: string;
  authStyle?: AuthStyle;
}

/** tenant-users login */
export function addLogin(parent: Command, session: Session): void {
  parent
    .command('login')
    .description('Prove the credentials of an application and store them as a profile')
    .option('--client-id <id>', 'id of the application')
    .option('--client-secret-stdin', 'read the secret of the application from standard input')
    .option('--client-secret-file <file>', 'read the secret of the application from a file')
    .addOption(new Option('--auth-style <style>', 'how the credentials travel').choices(authStyles))
    .addHelpText(
      'after',
      `
Examples:
  $ tenant-users login
  $ tenant-users login --base-url https://id.example.com --client-id APP --client-secret-stdin < secret.txt
  $ tenant-users login --local                the embedded service, no tenant needed`,
    )
    .action(async (options) => {
      const profiles = openProfiles(session);
      const name = session.options.profile ?? session.env.TENANT_USERS_PROFILE ?? profiles.current;
      const profile =
        session.options.local === undefined ? await askProfile(session, options) : localProfile(session);
      const client = await openClient(session, await targetOf(session, profile));
      const token = await client.obtainToken();
      await profiles.save(name, profile.local === undefined ? { ...profile, token } : profile);
      const baseUrl = profile.base_url ?? embeddedService(profile.local ?? '');
      if (formatOf(session) !== 'table')
        await show(session, signInResult(name, baseUrl, profile.client_id, token));
      say(session, `Logged in to ${baseUrl}; stored as profile ${JSON.stringify(name)} in ${profiles.file}`);
    });
}

async function targetOf(session: Session, profile: Profile) {
  const { local, base_url = '', client_id = '', client_secret = '', auth_style = 'query' } = profile;
  if (local !== undefined) return embed(session, local);
  return { baseUrl: base_url, clientId: client_id, clientSecret: client_secret, authStyle: auth_style };
}

function localProfile(session: Session): Profile {
  const { local } = session.options;
  return { local: local === true || local === undefined ? defaultDatabase(session) : local };
}

async function askProfile(session: Session, options: LoginOptions): Promise<Profile> {
  const { env } = session;
  const flagUrl = session.options.baseUrl;
  const givenUrl = flagUrl ?? env.TENANT_USERS_BASE_URL;
  const origin = flagUrl === undefined ? 'environment' : 'flag';
  const base_url = checkBaseUrl(
    givenUrl
      ? { value: givenUrl, origin }
      : { value: await askText(session, 'Base URL', '--base-url'), origin: 'flag' },
  );
  const client_id =
    options.clientId ?? env.TENANT_USERS_CLIENT_ID ?? (await askText(session, 'Client id', '--client-id'));
  const client_secret = await secretOf(session, options);
  return {
    base_url,
    client_id,
    client_secret,
    ...(options.authStyle ? { auth_style: options.authStyle } : {}),
  };
}

async function secretOf(session: Session, options: LoginOptions): Promise<string> {
  const { clientSecretStdin: fromStdin, clientSecretFile: file } = options;
  if (fromStdin && file !== undefined) {
    throw new UsageError('--client-secret-stdin and --client-secret-file exclude each other');
  }
  if (fromStdin) return readSecret(session, '-', 'client secret');
  if (file !== undefined) return readSecret(session, file, 'client secret');
  const { TENANT_USERS_CLIENT_SECRET: fromEnv } = session.env;
  return fromEnv || askSecret(session, 'Client secret', '--client-secret-stdin or --client-secret-file');
}
