import { quoteWord } from '../../../text/shell-quote.ts';
import { openProfiles, profileOf, unknownProfile } from '../../config/profiles.ts';
import type { AddCommand } from '../../context/context.ts';
import { say, showUnlessTable } from '../../output/show.ts';

const help = `
Example:
  $ tenant-users profiles use acme`;

export const addProfilesUse: AddCommand = (parent, context) => {
  parent
    .command('use')
    .description('Make a profile the current one, used when no other is named')
    .argument('<profile>', 'name of the profile')
    .addHelpText('after', help)
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
