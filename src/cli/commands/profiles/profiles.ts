import { shownDatabase } from '../../../text/locations/database-location.ts';
import { quoteWord } from '../../../text/shell-quote.ts';
import { shownBaseUrl } from '../../config/base-url.ts';
import {
  currentName,
  openProfiles,
  type Profile,
  profileOf,
  type Stored,
  shownToken,
  unknownProfile,
} from '../../config/profiles.ts';
import { embeddedService } from '../../connection/embedded-service.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { findConfigFile } from '../../context/directories.ts';
import { requireYes } from '../../input/prompts.ts';
import { formatOf, say, show, showUnlessTable } from '../../output/show.ts';

const listHelp = `
Examples:
  $ tenant-users profiles list
  $ tenant-users profiles list --json | jq -r .current`;

const columns = ['name', 'base_url', 'local', 'client_id', 'current', 'logged_in', 'token.expires_at'];

export const addProfilesList: AddCommand = (parent, context) => {
  parent
    .command('list')
    .description('List the profiles and show the current one')
    .addHelpText('after', listHelp)
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

function tokenState(token: { expires_at: string } | null, loggedIn: boolean, local: boolean, now: number) {
  if (local) return 'not needed';
  if (!loggedIn) return 'logged out';
  if (!token) return 'none yet';
  return Date.parse(token.expires_at) > now
    ? `until ${token.expires_at.replace(/:[^:]*Z$/, 'Z')}`
    : 'expired, renewed when needed';
}

const useHelp = `
Example:
  $ tenant-users profiles use acme`;

export const addProfilesUse: AddCommand = (parent, context) => {
  parent
    .command('use')
    .description('Make a profile the current one, used when no other is named')
    .argument('<profile>', 'name of the profile')
    .addHelpText('after', useHelp)
    .action(async (name) => {
      await openProfiles(context).change((latest) => {
        if (!profileOf(latest, name)) throw unknownProfile(name, Object.keys(latest.profiles ?? {}));
        return { ...latest, current: name };
      });
      await showUnlessTable(context, { current: name });
      say(context, `Profile ${JSON.stringify(name)} is current`);
      const named = context.env.TENANT_USERS_PROFILE;
      if (named && named !== name) {
        say(context, `Notice: TENANT_USERS_PROFILE is set to ${JSON.stringify(named)} and takes precedence`);
      }
      for (const variable of ['TENANT_USERS_LOCAL', 'TENANT_USERS_BASE_URL']) {
        if (!context.env[variable]) continue;
        const use = `To use this profile, unset it, or use --profile ${quoteWord(name)}.`;
        say(context, `Notice: ${variable} is set and takes precedence. ${use}`);
      }
    });
};

const removeHelp = `
Examples:
  $ tenant-users profiles remove acme
  $ tenant-users profiles remove acme --yes --json`;

export const addProfilesRemove: AddCommand = (parent, context) => {
  parent
    .command('remove')
    .description('Remove a profile with its secret and token; a local database is kept')
    .argument('<profile>', 'name of the profile')
    .addHelpText('after', removeHelp)
    .action(async (name) => {
      const profiles = openProfiles(context);
      if (!profiles.find(name)) throw unknownProfile(name, profiles.names);
      const shown = JSON.stringify(name);
      await requireYes(context, `Remove profile ${shown} with its secret?`, 'nothing was removed');
      let after: Stored = {};
      let wasCurrent = false;
      await profiles.change((latest) => {
        if (!profileOf(latest, name)) throw unknownProfile(name, Object.keys(latest.profiles ?? {}));
        wasCurrent = currentName(latest) === name;
        after = without(latest, name);
        return after;
      });
      const current = profileOf(after, currentName(after)) ? currentName(after) : null;
      await showUnlessTable(context, { removed: name, current });
      say(context, `Removed profile ${shown}`);
      if (wasCurrent || current === null)
        say(context, successionOf(current, Object.keys(after.profiles ?? {})));
    });
};

/** Removes a profile. No other becomes current, because nobody chose it: the next command says that one must be selected. */
function without({ current, profiles, ...rest }: Stored, name: string): Stored {
  const left = Object.fromEntries(Object.entries(profiles ?? {}).filter(([one]) => one !== name));
  return { ...rest, ...(current === undefined || current === name ? {} : { current }), profiles: left };
}

function successionOf(current: string | null, left: readonly string[]): string {
  if (current !== null) return `Profile ${JSON.stringify(current)} is now current`;
  if (left.length === 0) return 'No profiles are left; create one with: tenant-users login';
  const names = left.map((one) => JSON.stringify(one)).join(', ');
  return `No profile is now current; select one of ${names} with: tenant-users profiles use NAME`;
}
