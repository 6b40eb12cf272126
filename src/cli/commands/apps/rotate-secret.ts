import { Option } from '@commander-js/extra-typings';
import { changeLocalDatabase } from '../../connection/local-database.ts';
import type { AddCommand } from '../../context/context.ts';
import { parseNumberBetween } from '../../input/option-parsers.ts';
import { say } from '../../output/show.ts';
import { recordedApplication, saveSecret, showIssued } from './describe-application.ts';

const help = `
Configure the new secret in the application within --overlap. If the old one has become known, use
--overlap 0, which asks first (--yes in a script), then end what was obtained with it:
sessions end --app CLIENT_ID. If a new secret got lost before anybody used it, --lost replaces
only that one (it asks first, too): the old one stays valid as long as it was.

Examples:
  $ tenant-users apps rotate-secret 5f2c1d0e9a8b7c6d5e4f3a2b
  $ tenant-users apps rotate-secret 5f2c1d0e9a8b7c6d5e4f3a2b --overlap 0 --yes --json`;

export const addAppsRotateSecret: AddCommand = (parent, context) => {
  parent
    .command('rotate-secret')
    .description('Give an application a new secret; the old one stays valid for a while')
    .argument('<client-id>', 'id of the application')
    .option('--overlap <hours>', 'how long both secrets are valid', parseNumberBetween(0, 720), 24)
    .addOption(
      new Option('--lost', 'nobody has the newest secret: of two, replace only that').conflicts('overlap'),
    )
    .addHelpText('after', help)
    .action(async (clientId, { overlap, lost: isLost = false }) => {
      const change = {
        event: 'rotateSecret' as const,
        question: async (location: string) => {
          if (overlap === 0) return 'End the old secret now? A program that still uses it is locked out.';
          if (!isLost) return undefined;
          const { hasTwoSecrets } = await import('../../../service/admin/applications.ts');
          const withdraws = await hasTwoSecrets(location, clientId, context.now());
          return withdraws ? 'End the newest secret now? A program that uses it is locked out.' : undefined;
        },
        factsOf: recordedApplication,
      };
      const made = await changeLocalDatabase(context, change, async (location) => {
        const { rotateSecret } = await import('../../../service/admin/applications.ts');
        return rotateSecret(location, clientId, { overlap: overlap * 3600, isLost, now: context.now() });
      });
      await showIssued(context, made);
      const until = made.former_secret_until;
      say(context, `${saveSecret}. The old one ${until === null ? 'has ended' : `is valid until ${until}`}`);
    });
};
