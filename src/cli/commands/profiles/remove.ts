import type { Stored } from '../../config/config-file.ts';
import { currentName, openProfiles, profileOf, unknownProfile } from '../../config/profiles.ts';
import type { AddCommand } from '../../context/context.ts';
import { requireYes } from '../../input/prompts.ts';
import { say, showUnlessTable } from '../../output/show.ts';

const help = `
Examples:
  $ tenant-users profiles remove acme
  $ tenant-users profiles remove acme --yes --json`;

export const addProfilesRemove: AddCommand = (parent, context) => {
  parent
    .command('remove')
    .description('Remove a profile with its secret and token; a local database is kept')
    .argument('<profile>', 'name of the profile')
    .addHelpText('after', help)
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
