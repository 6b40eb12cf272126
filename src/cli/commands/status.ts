import type { Command } from '@commander-js/extra-typings';
import { openClient, remote } from '../connect.ts';
import { embed, embeddedService } from '../embed.ts';
import { loosePermissions } from '../profiles.ts';
import { readSettings, type Settings, type Sourced } from '../settings.ts';
import { formatOf, say, show } from '../show.ts';
import { signInResult } from '../sign-in-result.ts';
import type { Session } from '../world.ts';

/** tenant-users status */
export function addStatus(parent: Command, session: Session): void {
  parent
    .command('status')
    .description('Show which service is used, as whom, and whether the token is accepted')
    .action(async () => {
      const settings = readSettings(session);
      const target = settings.local ? await embed(session, settings.local.value) : remote(session, settings);
      const client = await openClient(session, target);
      const page = await client.listUsers({ offset: 0, limit: 10 });
      const token = await client.obtainToken();
      const baseUrl = settings.local ? embeddedService(settings.local.value) : target.baseUrl;
      const result = signInResult(settings.profileName.value, baseUrl, settings.clientId?.value, token);
      if (formatOf(session) !== 'table') return show(session, result);
      await show(session, rowsOf(settings, baseUrl, token.expires_at));
      say(session, `The token is accepted; the tenant has ${page.total} users.`);
    });
}

function rowsOf(settings: Settings, baseUrl: string, expiresAt: number) {
  const { profileName, local, clientId, clientSecret, profiles } = settings;
  const rows = [
    row('profile', profileName),
    { ...row('base URL', local ?? settings.baseUrl), value: baseUrl },
    ...(local
      ? []
      : [row('client id', clientId), { ...row('client secret', clientSecret), value: '(hidden)' }]),
    { name: 'token', value: `until ${new Date(expiresAt).toISOString()}`, from: '' },
    {
      name: 'configuration',
      value: profiles.file,
      from: loosePermissions(profiles.file) ? 'readable by others!' : '',
    },
  ];
  return { rows, columns: ['name', 'value', 'from'] };
}

function row(name: string, sourced: Sourced | undefined) {
  return { name, value: sourced?.value ?? '', from: sourced?.origin ?? '' };
}
