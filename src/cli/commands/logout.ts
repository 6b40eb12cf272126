import { openProfiles, profileOf, type Stored, unknownProfile, withProfile } from '../config/profiles.ts';
import type { AddCommand } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { say, show, wantsFields } from '../output/show.ts';

const help = `
Examples:
  $ tenant-users logout
  $ tenant-users logout --profile acme
  $ tenant-users logout --all`;

export const addLogout: AddCommand = (parent, context) => {
  parent
    .command('logout')
    .description("Remove a profile's secret and token; keep its base URL and client id")
    .option('--all', 'do so for every profile')
    .addHelpText('after', help)
    .action(async ({ all }) => {
      if (all && context.options.profile !== undefined) {
        throw new UsageError('--all and --profile cannot be used together', 'Remove one of the two.');
      }
      const profiles = openProfiles(context);
      const named = context.options.profile || context.env.TENANT_USERS_PROFILE;
      const name = named || profiles.current;
      if (!all && !profiles.find(name)) throw unknownProfile(name, profiles.names);
      const logouts: Logout[] = [];
      await profiles.change((latest) => {
        const names = all ? Object.keys(latest.profiles ?? {}) : [name];
        logouts.push(...names.flatMap((one) => logoutOf(latest, one)));
        const done = logouts.filter(({ forgotten }) => forgotten);
        return done.length === 0
          ? undefined
          : done.reduce((stored, one) => without(stored, one.name), latest);
      });
      if (wantsFields(context)) {
        const rows = logouts.map(({ name, forgotten }) => ({ name, forgotten }));
        await show(context, { rows, list: { name: 'profiles' }, columns: ['name', 'forgotten'] });
      }
      for (const one of logouts) say(context, sentenceOf(one, context.now()));
      if (logouts.length === 0) say(context, 'There are no profiles: nothing to remove');
      if (context.env.TENANT_USERS_CLIENT_SECRET) {
        say(context, 'Notice: TENANT_USERS_CLIENT_SECRET is still set in the environment');
      }
    });
};

type Logout = ReturnType<typeof logoutOf>[number];

/** `forgotten`: there was a secret or a token to remove. */
function logoutOf(stored: Stored, name: string) {
  const profile = profileOf(stored, name);
  if (!profile) return [];
  return [{ name, profile, forgotten: profile.client_secret !== undefined || profile.token !== undefined }];
}

function without(stored: Stored, name: string): Stored {
  const { client_secret: _, token: __, ...rest } = profileOf(stored, name) ?? {};
  return withProfile(stored, name, rest);
}

/** Describes the logout, and until when the last token is valid: the API cannot end a token early. */
function sentenceOf({ name, profile, forgotten }: Logout, now: number): string {
  const shown = JSON.stringify(name);
  if (profile.local !== undefined && !forgotten) {
    return `Profile ${shown} uses the embedded service and has no secret to remove`;
  }
  if (!forgotten) return `Profile ${shown} is already logged out`;
  const { token } = profile;
  const live =
    token && token.expires_at > now
      ? `; the service accepts its last token until ${new Date(token.expires_at).toISOString()}`
      : '';
  return `Logged out of profile ${shown}: secret and token removed${live}`;
}
