import { shownDatabase } from '../../../text/database-location.ts';
import { shownBaseUrl } from '../../config/base-url.ts';
import type { Profile } from '../../config/config-file.ts';
import { openProfiles } from '../../config/profiles.ts';
import { embeddedService } from '../../connection/embedded-service.ts';
import { findConfigFile } from '../../context/config-place.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { formatOf, say, show } from '../../output/show.ts';
import { shownToken } from '../../output/shown-token.ts';

const help = `
Examples:
  $ tenant-users profiles list
  $ tenant-users profiles list --json | jq -r .current`;

const columns = ['name', 'base_url', 'local', 'client_id', 'current', 'logged_in', 'token.expires_at'];

export const addProfilesList: AddCommand = (parent, context) => {
  parent
    .command('list')
    .description('List the profiles and show the current one')
    .addHelpText('after', help)
    .action(async () => {
      const { names, find, current } = openProfiles(context);
      const profiles = names.flatMap((name) => {
        const profile = find(name);
        return profile ? [shownProfile(context, name, profile, name === current)] : [];
      });
      const chosen = find(current) ? current : null;
      if (formatOf(context) !== 'table') {
        const list = { name: 'profiles', rest: () => ({ current: chosen }) };
        return show(context, { rows: profiles, list, columns });
      }
      const rows = profiles.map(({ name, local, base_url, client_id, token, ...rest }) => ({
        name,
        service: local === null ? base_url : embeddedService(local, context.env),
        client_id,
        current: rest.current ? '*' : '',
        token: tokenState(token, rest.logged_in, local !== null, context.now()),
      }));
      if (rows.length > 0) {
        await show(context, {
          rows,
          columns: ['name', 'service', 'client_id', 'current', 'token'],
          needed: ['name', 'current', 'service', 'token', 'client_id'],
          whole: ['name', 'service'],
        });
      }
      const none = names.length === 0 ? 'there are no profiles; create one with: tenant-users login' : '';
      const hint =
        chosen === null ? 'no profile is current; select one with: tenant-users profiles use NAME' : '';
      const file = findConfigFile(context);
      const where = file === undefined ? 'There is no place for a configuration' : `Configuration ${file}`;
      say(context, [where, none || hint].filter(Boolean).join('; '));
    });
};

/** A profile without its secrets. */
function shownProfile({ env }: CommandContext, name: string, profile: Profile, current: boolean) {
  const { base_url, client_id = null, client_secret, local, token } = profile;
  return {
    name,
    base_url: base_url === undefined ? null : shownBaseUrl(base_url),
    local: local === undefined ? null : shownDatabase(local, env),
    client_id,
    current,
    logged_in: local !== undefined || client_secret !== undefined,
    token: token ? shownToken(token) : null,
  };
}

function tokenState(
  token: { expires_at: string } | null,
  loggedIn: boolean,
  local: boolean,
  now: number,
): string {
  if (local) return 'not needed';
  if (!loggedIn) return 'logged out';
  if (!token) return 'none yet';
  return Date.parse(token.expires_at) > now
    ? `until ${token.expires_at.replace(/:[^:]*Z$/, 'Z')}`
    : 'expired, renewed when needed';
}
